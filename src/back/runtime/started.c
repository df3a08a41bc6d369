/* Which nests have run on a device of this machine before: their kernels need no compiler, as long as the kernel cache or the
   driver's own keeps them. An empty file in the cache's folder says so. Nothing but where a nest runs depends on it. */

#if STENCIL_HAS_CACHE

#define STENCIL_STARTED_SUFFIX ".started"

enum { STENCIL_STARTED_NAME_BYTES = 2 * STENCIL_DIGEST_BYTES + sizeof STENCIL_STARTED_SUFFIX };

/* The nest's file: the hash of all that decides which kernels there are to compile, but for the device. */
static void stencil_started_name(const stencil_region *region, char name[STENCIL_STARTED_NAME_BYTES])
{
    unsigned char key[STENCIL_DIGEST_BYTES];
    stencil_digest digest;
    stencil_digest_start(&digest);
    for (unsigned i = 0; i < region->source_lines; i++)
        stencil_digest_field(&digest, region->source[i], strlen(region->source[i]));
    stencil_digest_field(&digest, &region->number, sizeof region->number);
    stencil_digest_finish(&digest, key);
    for (int i = 0; i < STENCIL_DIGEST_BYTES; i++)
        snprintf(name + 2 * i, 3, "%02x", key[i]);
    strcpy(name + 2 * STENCIL_DIGEST_BYTES, STENCIL_STARTED_SUFFIX);
}

/* Opens the nest's file with these flags, and closes it; whether that could be done. */
static int stencil_touch_started(const stencil_region *region, int flags)
{
    char path[STENCIL_PATH_BYTES], name[STENCIL_STARTED_NAME_BYTES];
    const char *why;
    int folder = stencil_open_cache_folder(path, 1, &why), file;
    if (folder < 0)
        return 0;
    stencil_started_name(region, name);
    file = openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
    close(folder);
    if (file < 0)
        return 0;
    close(file);
    return 1;
}

static int stencil_was_started_before(const stencil_region *region)
{
    return stencil_touch_started(region, O_RDONLY);
}

static void stencil_keep_started(const stencil_region *region)
{
    stencil_touch_started(region, O_WRONLY | O_CREAT);
}

#else

static int stencil_was_started_before(const stencil_region *region)
{
    (void)region;
    return 0;
}

static void stencil_keep_started(const stencil_region *region)
{
    (void)region;
}

#endif
