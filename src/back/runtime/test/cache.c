/* The kernel cache below OpenCL: the hash, the files, the folder. The folder is $TEST_FOLDER, which `test/run` makes. */

#include "runtime.h"

#include "check.h"

/* Hashes `bytes` of text, repeated, in parts of `part` bytes; expects the digits. */
static int expect_digest(const char *text, int repetitions, size_t part, const char *expected)
{
    char digits[STENCIL_CACHE_NAME_BYTES];
    unsigned char result[STENCIL_DIGEST_BYTES];
    size_t length = strlen(text);
    stencil_digest digest;
    stencil_digest_start(&digest);
    for (int i = 0; i < repetitions; i++)
        for (size_t at = 0; at < length; at += part)
            stencil_digest_add(&digest, text + at, length - at < part ? length - at : part);
    stencil_digest_finish(&digest, result);
    stencil_cache_name(result, digits);
    return expect(expected, strncmp(digits, expected, strlen(expected)) == 0);
}

/* The examples that NIST publishes for FIPS 180-4, taken in whole and in parts. */
static int test_digest(void)
{
    static const struct {
        const char *text;
        int repetitions;
        const char *digest;
    } examples[] = {
        {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
         1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
        {"aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    static const size_t parts[] = {1, 3, 55, 64, 1000};
    int failures = 0;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
            failures += expect_digest(examples[i].text, examples[i].repetitions, parts[p], examples[i].digest);
    return failures;
}

/* Whether the cache holds exactly `bytes` of `binary` for the key. */
static int holds(int folder, const unsigned char *key, const unsigned char *binary, size_t bytes)
{
    const char *why;
    size_t got = 0;
    unsigned char *content = stencil_read_cached(folder, key, &got, &why);
    int is_same = content && got == bytes + STENCIL_HEADER_BYTES &&
                  memcmp(content + STENCIL_HEADER_BYTES, binary, bytes) == 0;
    free(content);
    return is_same;
}

/* Changes one bit of the key's file. */
static int flip(int folder, const unsigned char *key, off_t offset, int bit)
{
    char name[STENCIL_CACHE_NAME_BYTES];
    unsigned char byte = 0;
    int file, is_done;
    stencil_cache_name(key, name);
    file = openat(folder, name, O_RDWR);
    is_done = file >= 0 && pread(file, &byte, 1, offset) == 1;
    byte ^= (unsigned char)(1 << bit);
    is_done = is_done && pwrite(file, &byte, 1, offset) == 1;
    close(file);
    return is_done;
}

/* Every bit of a file counts, and so does its length. */
static int test_tampering(int folder)
{
    unsigned char key[STENCIL_DIGEST_BYTES] = {1, 2, 3}, other[STENCIL_DIGEST_BYTES] = {1, 2, 4}, binary[40];
    char name[STENCIL_CACHE_NAME_BYTES], other_name[STENCIL_CACHE_NAME_BYTES];
    int failures = 0;
    memset(binary, 7, sizeof binary);
    stencil_cache_name(key, name);
    stencil_cache_name(other, other_name);
    failures += expect("a program is stored", stencil_write_cached(folder, key, binary, sizeof binary));
    failures += expect("it is found", holds(folder, key, binary, sizeof binary));
    for (off_t offset = 0; offset < (off_t)(STENCIL_HEADER_BYTES + sizeof binary); offset++)
        for (int bit = 0; bit < 8; bit++) {
            failures += expect("a bit is changed", flip(folder, key, offset, bit));
            failures += expect("a changed bit shows", !holds(folder, key, binary, sizeof binary));
            failures += expect("a bit is changed back", flip(folder, key, offset, bit));
        }
    failures += expect("it is found again", holds(folder, key, binary, sizeof binary));
    failures += expect("it gets another name", linkat(folder, name, folder, other_name, 0) == 0);
    failures += expect("another program's file is no file of the key", !holds(folder, other, binary, sizeof binary));
    failures += expect("it is replaced", stencil_write_cached(folder, other, binary, 1) && holds(folder, other, binary, 1));
    failures += expect("the one of the first name is not", holds(folder, key, binary, sizeof binary));
    for (size_t length = 0; length < STENCIL_HEADER_BYTES + sizeof binary; length++) {
        int file;
        failures += expect("stored again", stencil_write_cached(folder, key, binary, sizeof binary));
        file = openat(folder, name, O_RDWR);
        failures += expect("it is cut", ftruncate(file, (off_t)length) == 0);
        close(file);
        failures += expect("a cut file shows", !holds(folder, key, binary, sizeof binary));
    }
    unlinkat(folder, name, 0);
    unlinkat(folder, other_name, 0);
    return failures;
}

/* Whether the cache has a file of that name. */
static int has(int folder, const char *name)
{
    struct stat status;
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Makes a file that seems large and was last used so many seconds ago. */
static int make_old_file(int folder, const char *name, off_t bytes, int seconds)
{
    struct timespec times[2] = {{time(NULL) - seconds, 0}, {time(NULL) - seconds, 0}};
    int file = openat(folder, name, O_RDWR | O_CREAT, 0600);
    int is_done = ftruncate(file, bytes) == 0 && futimens(file, times) == 0;
    close(file);
    return is_done;
}

/* What was not used for the longest time goes first, and nothing that is not the cache's own. */
static int test_pruning(int folder)
{
    char names[5][STENCIL_CACHE_NAME_BYTES];
    int failures = 0;
    for (int i = 0; i < 5; i++) {
        unsigned char key[STENCIL_DIGEST_BYTES] = {9, (unsigned char)i};
        stencil_cache_name(key, names[i]);
        failures += expect("a large file", make_old_file(folder, names[i], 60 << 20, 100 * (5 - i)));
    }
    failures += expect("a foreign file", make_old_file(folder, "notes", 300 << 20, 100000));
    failures += expect("an abandoned file", make_old_file(folder, STENCIL_CACHE_TEMPORARY "1-1", 1, 4000));
    failures += expect("a file in the making", make_old_file(folder, STENCIL_CACHE_TEMPORARY "1-2", 1, 1000));
    stencil_prune_cache(folder);
    failures += expect("the oldest program is gone", !has(folder, names[0]));
    for (int i = 1; i < 5; i++)
        failures += expect("the others fit", has(folder, names[i]));
    failures += expect("foreign files stay", has(folder, "notes"));
    failures += expect("abandoned files go", !has(folder, STENCIL_CACHE_TEMPORARY "1-1"));
    failures += expect("fresh temporary files stay", has(folder, STENCIL_CACHE_TEMPORARY "1-2"));
    for (int i = 1; i < 5; i++)
        unlinkat(folder, names[i], 0);
    unlinkat(folder, "notes", 0);
    unlinkat(folder, STENCIL_CACHE_TEMPORARY "1-2", 0);
    return failures;
}

/* A limit of the process on its files is no reason to end it, nor is a full disk to leave half a file. */
static int test_no_room(int folder)
{
    unsigned char key[STENCIL_DIGEST_BYTES] = {5}, binary[4096] = {0};
    char name[STENCIL_CACHE_NAME_BYTES];
    struct rlimit limit, small;
    int failures;
    getrlimit(RLIMIT_FSIZE, &limit);
    small = limit;
    small.rlim_cur = 1000;
    setrlimit(RLIMIT_FSIZE, &small);
    failures = expect("too large to be stored", !stencil_write_cached(folder, key, binary, sizeof binary));
    setrlimit(RLIMIT_FSIZE, &limit);
    stencil_cache_name(key, name);
    return failures + expect("nothing is left", !has(folder, name) && rmdir(getenv("TEST_FOLDER")) == 0);
}

int test_cache(void)
{
    static const stencil_call nothing;
    int folder = open(getenv("TEST_FOLDER"), O_RDONLY | O_DIRECTORY);
    int failures = expect("a folder", folder >= 0) + test_digest() + test_tampering(folder) + test_pruning(folder) +
                   test_no_room(folder) + expect("nothing to do", stencil_run(NULL, &nothing, NULL));
    close(folder);
    return failures;
}
