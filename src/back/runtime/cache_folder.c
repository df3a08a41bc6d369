/* The folder of the kernel cache: where it is, and whether nobody but the user can have put anything there. */

#if STENCIL_HAS_CACHE

enum { STENCIL_PATH_BYTES = 4096 };

/* Whether the program has rights that its caller lacks; the caller chooses the environment, and so the folder. */
static int stencil_has_borrowed_rights(void)
{
#ifdef __linux__
    if (getauxval(AT_SECURE))
        return 1;
#endif
    return getuid() != geteuid() || getgid() != getegid();
}

/* Writes `folder`/`name`; 0 if `folder` is not absolute or the path does not fit. */
static int stencil_join_path(char *path, const char *folder, const char *name)
{
    int length;
    if (!folder || folder[0] != '/')
        return 0;
    length = snprintf(path, STENCIL_PATH_BYTES, "%s/%s", folder, name);
    return length > 0 && length < STENCIL_PATH_BYTES;
}

/* $XDG_CACHE_HOME/stencil-rewrite or ~/.cache/stencil-rewrite; makes the folder above it if there is none. */
static int stencil_default_cache_path(char *path)
{
    char above[STENCIL_PATH_BYTES];
    const char *given = getenv("XDG_CACHE_HOME");
    if (!given || given[0] != '/') {
        if (!stencil_join_path(above, getenv("HOME"), ".cache"))
            return 0;
        given = above;
    }
    mkdir(given, 0700);
    return stencil_join_path(path, given, "stencil-rewrite");
}

/* Takes over a path that the user names. A slash at its end would make the system follow a link. */
static int stencil_given_cache_path(char *path, const char *given)
{
    size_t length = strlen(given);
    if (given[0] != '/' || length >= STENCIL_PATH_BYTES)
        return 0;
    while (length > 1 && given[length - 1] == '/')
        length--;
    memcpy(path, given, length);
    path[length] = '\0';
    return 1;
}

static const char stencil_cache_mistaken[] = "STENCIL_CACHE is neither on, off nor an absolute path";

/* Finds the folder's path; or gives the reason why there is none. `is_needed` says whether the driver keeps no cache of
   its own. */
static const char *stencil_find_cache(char *path, int is_needed)
{
    const char *wish = getenv("STENCIL_CACHE");
    int is_on = wish && (strcmp(wish, "on") == 0 || strcmp(wish, "1") == 0);
    if (stencil_has_borrowed_rights())
        return "the program runs with rights that its caller lacks";
    if (wish && (strcmp(wish, "off") == 0 || strcmp(wish, "0") == 0))
        return "STENCIL_CACHE=off";
    if (wish && *wish && !is_on)
        return stencil_given_cache_path(path, wish) ? NULL : stencil_cache_mistaken;
    if (!is_on && !is_needed)
        return "the driver has a cache of its own";
    return stencil_default_cache_path(path) ? NULL : "neither XDG_CACHE_HOME nor HOME is an absolute path";
}

/* Why an open folder cannot be trusted; null if it can. */
static const char *stencil_distrust_folder(int folder)
{
    struct stat status;
    if (fstat(folder, &status) != 0 || !S_ISDIR(status.st_mode))
        return "it is no folder";
    if (status.st_uid != geteuid())
        return "it belongs to another user";
    return status.st_mode & 077 ? "other users may read or write it (its mode must be 0700)" : NULL;
}

/* Opens the folder, new if there is none; -1 and the reason if it cannot be used. */
static int stencil_open_cache_folder(char *path, int is_needed, const char **why)
{
    int folder;
    path[0] = '\0';
    *why = stencil_find_cache(path, is_needed);
    if (*why) {
        path[0] = '\0';
        return -1;
    }
    mkdir(path, 0700);
    folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) {
        *why = errno == ELOOP || errno == ENOTDIR ? "it is no folder or a symbolic link" : strerror(errno);
        return -1;
    }
    *why = stencil_distrust_folder(folder);
    if (!*why)
        return folder;
    close(folder);
    return -1;
}

#endif
