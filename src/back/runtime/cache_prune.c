/* Keeps the kernel cache small: of too many programs those go that were not used for the longest time. */

#if STENCIL_HAS_CACHE

#define STENCIL_MAX_CACHE_BYTES 268435456LL /* of all files together */

enum {
    STENCIL_TEMPORARY_SECONDS = 3600,       /* a temporary file so old was left by a process that died */
    STENCIL_STARTED_SECONDS = 90 * 24 * 3600 /* nests that were not started for so long are forgotten, see started.c */
};

#define STENCIL_STARTED_SUFFIX ".started"

/* What one look at the folder finds. */
typedef struct {
    long long bytes;  /* of all programs */
    time_t oldest;    /* last use of the one that was not used for the longest time */
    char name[STENCIL_CACHE_NAME_BYTES]; /* its name; empty if there is none */
} stencil_census;

/* Whether the name is a hash with that suffix. */
static int stencil_is_hash_name(const char *name, const char *suffix)
{
    return strspn(name, "0123456789abcdef") == 2 * STENCIL_DIGEST_BYTES &&
           strcmp(name + 2 * STENCIL_DIGEST_BYTES, suffix) == 0;
}

/* Seconds after which a file that is no program is of no use; 0: it is a program, or not ours. */
static int stencil_lasting_seconds(const char *name)
{
    if (strncmp(name, STENCIL_CACHE_TEMPORARY, strlen(STENCIL_CACHE_TEMPORARY)) == 0)
        return STENCIL_TEMPORARY_SECONDS;
    return stencil_is_hash_name(name, STENCIL_STARTED_SUFFIX) ? STENCIL_STARTED_SECONDS : 0;
}

/* Counts a program, or removes another file that is of no use any more. Files of other names are not ours. */
static void stencil_count_file(int folder, const char *name, stencil_census *census)
{
    struct stat status;
    struct timeval now;
    int seconds = stencil_lasting_seconds(name);
    if ((seconds == 0 && !stencil_is_hash_name(name, STENCIL_CACHE_SUFFIX)) ||
        fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    if (seconds > 0) {
        gettimeofday(&now, NULL);
        if (status.st_mtime + seconds < now.tv_sec)
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
