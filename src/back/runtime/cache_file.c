/* Files of the kernel cache. One holds a program for a key: a header of four fields, then the program's binary.

   | bytes | field |
   |---|---|
   | 16 | STENCIL_CACHE_MAGIC |
   | 32 | the key |
   | 8 | length of the binary, the highest byte first |
   | 32 | SHA-256 of the three fields and the binary |

   Its name is the key in hexadecimal digits. It comes into its place by renaming, so that whoever opens it sees all of
   it, and whatever else may have happened to it shows in the digest. */

#if STENCIL_HAS_CACHE

#define STENCIL_CACHE_MAGIC "stencil cache 1\n"
#define STENCIL_CACHE_SUFFIX ".program"
#define STENCIL_CACHE_TEMPORARY "temporary-"

enum {
    STENCIL_MAGIC_BYTES = 16,
    STENCIL_SEALED_BYTES = STENCIL_MAGIC_BYTES + STENCIL_DIGEST_BYTES + 8,
    STENCIL_HEADER_BYTES = STENCIL_SEALED_BYTES + STENCIL_DIGEST_BYTES,
    STENCIL_CACHE_NAME_BYTES = 2 * STENCIL_DIGEST_BYTES + sizeof STENCIL_CACHE_SUFFIX,
    STENCIL_MAX_PROGRAM_BYTES = 64 << 20
};

static void stencil_cache_name(const unsigned char *key, char name[STENCIL_CACHE_NAME_BYTES])
{
    for (int i = 0; i < STENCIL_DIGEST_BYTES; i++)
        snprintf(name + 2 * i, 3, "%02x", key[i]);
    strcpy(name + 2 * STENCIL_DIGEST_BYTES, STENCIL_CACHE_SUFFIX);
}

static void stencil_cache_header(const unsigned char *key, const unsigned char *binary, size_t bytes,
                                 unsigned char header[STENCIL_HEADER_BYTES])
{
    unsigned char *length = header + STENCIL_SEALED_BYTES - 8;
    stencil_digest digest;
    memcpy(header, STENCIL_CACHE_MAGIC, STENCIL_MAGIC_BYTES);
    memcpy(header + STENCIL_MAGIC_BYTES, key, STENCIL_DIGEST_BYTES);
    stencil_write_big_endian(length, (uint32_t)((uint64_t)bytes >> 32));
    stencil_write_big_endian(length + 4, (uint32_t)bytes);
    stencil_digest_start(&digest);
    stencil_digest_add(&digest, header, STENCIL_SEALED_BYTES);
    stencil_digest_add(&digest, binary, bytes);
    stencil_digest_finish(&digest, header + STENCIL_SEALED_BYTES);
}

/* Why an open file cannot be a program that this user has stored; null if it can. */
static const char *stencil_distrust_file(int file, size_t *bytes)
{
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        return "it is no regular file";
    if (status.st_uid != geteuid())
        return "it belongs to another user";
    if (status.st_mode & 022)
        return "other users may write it";
    if (status.st_size <= STENCIL_HEADER_BYTES || status.st_size > STENCIL_HEADER_BYTES + STENCIL_MAX_PROGRAM_BYTES)
        return "it has a wrong size";
    *bytes = (size_t)status.st_size;
    return NULL;
}

static int stencil_read_all(int file, unsigned char *to, size_t bytes)
{
    while (bytes > 0) {
        struct iovec rest = { to, bytes };
        ssize_t part = readv(file, &rest, 1);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            return 0;
        to += part;
        bytes -= (size_t)part;
    }
    return 1;
}

static int stencil_write_all(int file, const unsigned char *from, size_t bytes)
{
    while (bytes > 0) {
        struct iovec rest = { (void *)(uintptr_t)from, bytes }; /* which is only read */
        ssize_t part = writev(file, &rest, 1);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            return 0;
        from += part;
        bytes -= (size_t)part;
    }
    return 1;
}

/* The content of an open file whose header fits it; null and the reason otherwise. The caller frees it. */
static unsigned char *stencil_read_sealed(int file, const unsigned char *key, size_t *bytes, const char **why)
{
    unsigned char header[STENCIL_HEADER_BYTES], *content;
    *why = stencil_distrust_file(file, bytes);
    if (*why)
        return NULL;
    content = malloc(*bytes);
    *why = content ? "it is damaged" : "out of host memory";
    if (content && stencil_read_all(file, content, *bytes)) {
        stencil_cache_header(key, content + STENCIL_HEADER_BYTES, *bytes - STENCIL_HEADER_BYTES, header);
        if (memcmp(header, content, sizeof header) == 0)
            return content;
    }
    free(content);
    return NULL;
}

/* Reads the file of a key: header and binary. Null and the reason if there is none or it cannot be trusted. The time
   of its last use is the time that the file bears. */
static unsigned char *stencil_read_cached(int folder, const unsigned char *key, size_t *bytes, const char **why)
{
    char name[STENCIL_CACHE_NAME_BYTES];
    unsigned char *content;
    int file;
    stencil_cache_name(key, name);
    /* Opening a pipe must not wait for its other end. */
    file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        *why = errno == ENOENT ? "new" : errno == ELOOP ? "it is a symbolic link" : strerror(errno);
        return NULL;
    }
    content = stencil_read_sealed(file, key, bytes, why);
    if (content)
        futimens(file, NULL);
    close(file);
    return content;
}

/* Whether this process may write so much; beyond its limit the system would end the program by a signal. */
static int stencil_may_write(size_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= bytes);
}

/* Writes, and makes sure that the disk has it before its name says so. */
static int stencil_fill_file(int file, const unsigned char *header, const unsigned char *binary, size_t bytes)
{
    int is_whole = stencil_write_all(file, header, STENCIL_HEADER_BYTES) && stencil_write_all(file, binary, bytes) &&
                   fsync(file) == 0;
    return (close(file) == 0) & is_whole;
}

/* Puts the file of a key in place; 0 if that cannot be done, and nothing has changed then. */
static int stencil_write_cached(int folder, const unsigned char *key, const unsigned char *binary, size_t bytes)
{
    char name[STENCIL_CACHE_NAME_BYTES], temporary[64];
    unsigned char header[STENCIL_HEADER_BYTES];
    int file;
    if (bytes > STENCIL_MAX_PROGRAM_BYTES || !stencil_may_write(bytes + STENCIL_HEADER_BYTES))
        return 0;
    stencil_cache_name(key, name);
    stencil_cache_header(key, binary, bytes, header);
    snprintf(temporary, sizeof temporary, STENCIL_CACHE_TEMPORARY "%d-%.0f", stencil_process(), 1e6 * stencil_now());
    file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return 0;
    if (stencil_fill_file(file, header, binary, bytes) && renameat(folder, temporary, folder, name) == 0)
        return 1;
    unlinkat(folder, temporary, 0);
    return 0;
}

#endif
