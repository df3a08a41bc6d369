/* Threads of an OpenCL implementation never end. A program whose `main` calls pthread_exit ends with the last of its own
   threads, and would never do so: somebody must see that only theirs are left. Threads that are made while the device is
   opened are known by the signals that they block, which threads have from the one that makes them. */

#if STENCIL_HAS_THREADS

/* A program without threads may be linked without them. */
#pragma weak pthread_attr_destroy
#pragma weak pthread_attr_init
#pragma weak pthread_attr_setstacksize
#pragma weak pthread_create
#pragma weak pthread_equal
#pragma weak pthread_join
#pragma weak pthread_key_create
#pragma weak pthread_key_delete
#pragma weak pthread_self
#pragma weak pthread_setspecific
#pragma weak pthread_sigmask

enum { STENCIL_LONGEST_WATCH = 500 }; /* milliseconds between two looks */

static pthread_t stencil_watcher;
static int stencil_watcher_state; /* 0: none, 1: about to start, 2: it has, 3: it cannot */
static int stencil_bell[2];       /* ends the watcher */

/* All signals but those for faults, as kernels may have handlers for them, and one more, which nobody would leave out. */
static void stencil_block_signals(sigset_t *before)
{
    const int open[] = {SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGWINCH};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        sigdelset(&blocked, open[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, before);
}

/* What /proc tells of a thread; 0 if it is gone. */
static int stencil_read_thread(const char *path, char *state, unsigned long long *blocked)
{
    char line[256];
    int found = 0;
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        found += (sscanf(line, "State: %c", state) == 1) + (sscanf(line, "SigBlk: %llx", blocked) == 1);
    if (file)
        fclose(file);
    return found == 2;
}

/* Whether the thread with that number goes on and does not block the signals `mark`. */
static int stencil_is_other_thread(const char *number, unsigned long long mark)
{
    char path[64], state = 0;
    unsigned long long blocked = 0;
    snprintf(path, sizeof path, "/proc/self/task/%.20s/status", number);
    return number[0] != '.' && stencil_read_thread(path, &state, &blocked) && state != 'Z' && state != 'X' &&
           blocked != mark;
}

/* Whether there are threads that do not block what the calling one does; 1 if that cannot be told. */
static int stencil_has_other_threads(void)
{
    char state = 0;
    unsigned long long mark = 0;
    DIR *threads = opendir("/proc/self/task");
    struct dirent *entry;
    int is_found = !threads || !stencil_read_thread("/proc/thread-self/status", &state, &mark);
    while (!is_found && (entry = readdir(threads)) != NULL)
        is_found = stencil_is_other_thread(entry->d_name, mark);
    if (threads)
        closedir(threads);
    return is_found;
}

/* Looks again and again, less and less often, until the program's own threads are gone or the program ends by itself. */
static void *stencil_watch(void *unused)
{
    struct pollfd bell;
    int pause = 1;
    (void)unused;
    bell.fd = stencil_bell[0];
    bell.events = POLLIN;
    while (stencil_has_other_threads()) {
        if (poll(&bell, 1, pause) > 0)
            return NULL;
        pause = 2 * pause < STENCIL_LONGEST_WATCH ? 2 * pause : STENCIL_LONGEST_WATCH;
    }
    exit(0);
}

static int stencil_open_bell(void)
{
    return pipe(stencil_bell) == 0 && fcntl(stencil_bell[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(stencil_bell[1], F_SETFD, FD_CLOEXEC) == 0;
}

/* A thread that has called ends: from now on the program may be over. */
static void stencil_thread_ends(void *shared)
{
    sigset_t before;
    int none = 0, is_started;
    if (((stencil_shared *)shared)->process != stencil_process() ||
        !__atomic_compare_exchange_n(&stencil_watcher_state, &none, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return;
    stencil_block_signals(&before);
    is_started = stencil_open_bell() && pthread_create(&stencil_watcher, NULL, stencil_watch, NULL) == 0;
    __atomic_store_n(&stencil_watcher_state, is_started ? 2 : 3, __ATOMIC_RELEASE);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Runs at the end of the program, or of the library that the driver is in. */
static void stencil_stop_watching(void)
{
    char byte = 0;
    struct iovec ring = { &byte, 1 };

    if (stencil_shared_v9.process != stencil_process())
        return;
    pthread_key_delete(stencil_shared_v9.key);
    if (__atomic_load_n(&stencil_watcher_state, __ATOMIC_ACQUIRE) != 2 || pthread_equal(pthread_self(), stencil_watcher))
        return;
    if (writev(stencil_bell[1], &ring, 1) == 1)
        pthread_join(stencil_watcher, NULL);
}

/* Lets `open` open the device, and marks the threads that are made meanwhile. */
static int stencil_open_marked(stencil_shared *shared, int (*open)(stencil_shared *shared))
{
    sigset_t before;
    int is_open;
    if (!pthread_create || !pthread_sigmask || !pthread_key_create)
        return open(shared);
    stencil_block_signals(&before);
    is_open = open(shared);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    shared->has_key = pthread_key_create(&shared->key, stencil_thread_ends) == 0 && atexit(stencil_stop_watching) == 0;
    return is_open;
}

/* Lets the end of the calling thread be noticed, whichever file has opened the device. */
static void stencil_notice_thread(stencil_shared *shared)
{
    if (shared->has_key)
        pthread_setspecific(shared->key, shared);
}

#else

static int stencil_open_marked(stencil_shared *shared, int (*open)(stencil_shared *shared))
{
    return open(shared);
}

static void stencil_notice_thread(stencil_shared *shared)
{
    (void)shared;
}

#endif
