/* Keeps the kernel cache small: of too many programs those go that were not used for the longest time. */

#if STENCIL_HAS_CACHE

#define STENCIL_MAX_CACHE_BYTES 268435456LL /* of all files together */

enum { STENCIL_TEMPORARY_SECONDS = 3600 }; /* a temporary file so old was left by a process that died */

/* What one look at the folder finds. */
typedef struct {
    long long bytes;  /* of all programs */
    time_t oldest;    /* last use of the one that was not used for the longest time */
    char name[STENCIL_CACHE_NAME_BYTES]; /* its name; empty if there is none */
} stencil_census;

static int stencil_is_program_name(const char *name)
{
    return strlen(name) == STENCIL_CACHE_NAME_BYTES - 1 &&
           strspn(name, "0123456789abcdef") == 2 * STENCIL_DIGEST_BYTES &&
           strcmp(name + 2 * STENCIL_DIGEST_BYTES, STENCIL_CACHE_SUFFIX) == 0;
}

/* Counts a file, or removes it if it is an abandoned temporary one. Files of other names are not ours. */
static void stencil_count_file(int folder, const char *name, stencil_census *census)
{
    struct stat status;
    int is_temporary = strncmp(name, STENCIL_CACHE_TEMPORARY, strlen(STENCIL_CACHE_TEMPORARY)) == 0;
    if ((!is_temporary && !stencil_is_program_name(name)) || fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    if (is_temporary) {
        if (status.st_mtime + STENCIL_TEMPORARY_SECONDS < time(NULL))
            unlinkat(folder, name, 0);
        return;
    }
    census->bytes += status.st_size;
    if (!census->name[0] || status.st_mtime < census->oldest) {
        census->oldest = status.st_mtime;
        strcpy(census->name, name);
    }
}

static int stencil_take_census(int folder, stencil_census *census)
{
    const struct dirent *entry;
    int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = own < 0 ? NULL : fdopendir(own);
    memset(census, 0, sizeof *census);
    if (!list) {
        if (own >= 0)
            close(own);
        return 0;
    }
    while ((entry = readdir(list)) != NULL)
        stencil_count_file(folder, entry->d_name, census);
    closedir(list);
    return 1;
}

/* Removes programs until the rest is small enough. */
static void stencil_prune_cache(int folder)
{
    stencil_census census;
    while (stencil_take_census(folder, &census) && census.bytes > STENCIL_MAX_CACHE_BYTES && census.name[0])
        if (unlinkat(folder, census.name, 0) != 0)
            return;
}

#endif
