/* Which nests have run on a device of this machine before: their kernels need no compiler, as long as the kernel cache
   keeps them. An empty file in its folder says so; without a kernel cache nothing is kept. Nothing but where a nest runs depends on it. */

#if STENCIL_HAS_CACHE

enum { STENCIL_STARTED_NAME_BYTES = 2 * STENCIL_DIGEST_BYTES + sizeof STENCIL_STARTED_SUFFIX };

/* The nest's file: the hash of all that decides which kernels there are to compile, but for the device. */
static void stencil_started_name(const stencil_nest *nest, char name[STENCIL_STARTED_NAME_BYTES])
{
    unsigned char key[STENCIL_DIGEST_BYTES];
    stencil_digest digest;
    stencil_digest_start(&digest);
    for (unsigned i = 0; i < nest->source_lines; i++)
        stencil_digest_field(&digest, nest->source[i], strlen(nest->source[i]));
    stencil_digest_field(&digest, &nest->number, sizeof nest->number);
    stencil_digest_finish(&digest, key);
    for (int i = 0; i < STENCIL_DIGEST_BYTES; i++)
        snprintf(name + 2 * i, 3, "%02x", key[i]);
    strcpy(name + 2 * STENCIL_DIGEST_BYTES, STENCIL_STARTED_SUFFIX);
}

/* Opens the nest's file in the folder with these flags, and closes both; whether that could be done. */
static int stencil_touch_started(const stencil_nest *nest, int folder, int flags)
{
    char name[STENCIL_STARTED_NAME_BYTES];
    int file;
    if (folder < 0)
        return 0;
    stencil_started_name(nest, name);
    file = stencil_distrust_folder(folder) ? -1 : openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
    close(folder);
    if (file < 0)
        return 0;
    futimens(file, NULL); /* it was of use, see cache_prune.c */
    close(file);
    return 1;
}

/* Looks without making a folder: no device is known yet, and so not whether there is to be a cache. */
static int stencil_was_started_before(const stencil_nest *nest)
{
    char path[STENCIL_PATH_BYTES];
    if (stencil_find_cache(path, 1))
        return 0;
    return stencil_touch_started(nest, open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), O_RDONLY);
}

static void stencil_keep_started(const stencil_nest *nest, cl_device_id device)
{
    char path[STENCIL_PATH_BYTES];
    const char *why;
    int folder = stencil_open_cache_folder(path, !stencil_driver_has_cache(device), &why);
    stencil_touch_started(nest, folder, O_WRONLY | O_CREAT);
}

#else

static int stencil_was_started_before(const stencil_nest *nest)
{
    (void)nest;
    return 0;
}

static void stencil_keep_started(const stencil_nest *nest, cl_device_id device)
{
    (void)nest, (void)device;
}

#endif
