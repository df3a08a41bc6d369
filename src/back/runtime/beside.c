/* Compiling kernels in a thread beside calls. README.md has the states and who leads from one to the next. */

struct stencil_beside {
    stencil_built *built; /* whose kernels they will be */
    stencil_built *own;   /* the thread's; it wants them */
    stencil_shared *shared;
    const stencil_device *device;
    stencil_options user;
    char *source, *options;
    stencil_cache cache;
#if STENCIL_HAS_THREADS
    pthread_t thread;
#endif
};

#if STENCIL_HAS_THREADS

enum { STENCIL_COMPILER_STACK = 32 << 20 }; /* bytes; compilers recurse, and a thread's usual room may be small */

static stencil_beside_state stencil_beside_is(stencil_shared *shared)
{
    return (stencil_beside_state)__atomic_load_n(&shared->beside_state, __ATOMIC_SEQ_CST);
}

/* Passes from one state on to another, unless somebody else has passed on to a third. */
static int stencil_pass_on(stencil_shared *shared, stencil_beside_state from, stencil_beside_state to)
{
    int is = (int)from;
    return __atomic_compare_exchange_n(&shared->beside_state, &is, (int)to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void stencil_compile_job(stencil_beside *job)
{
    double start = stencil_now();
    stencil_built *own = job->own;
    own->is_good = stencil_take_or_compile(own, job->device, &job->cache, job->source, job->options, &job->user);
    if (own->is_good)
        stencil_judge_wanted(own, job->device, &job->user);
    own->seconds = stencil_now() - start;
}

static void *stencil_run_beside(void *job)
{
    stencil_shared *shared = ((stencil_beside *)job)->shared;
    stencil_compile_job(job);
    while (stencil_beside_is(shared) == STENCIL_STARTING)
        stencil_pause();
    stencil_pass_on(shared, STENCIL_COMPILING_BESIDE, STENCIL_COMPILED);
    return NULL;
}

static int stencil_create_thread(stencil_beside *job)
{
    pthread_attr_t attributes;
    int is_started;
    if (pthread_attr_init(&attributes) != 0)
        return 0;
    is_started = pthread_attr_setstacksize(&attributes, STENCIL_COMPILER_STACK) == 0 &&
                 pthread_create(&job->thread, &attributes, stencil_run_beside, job) == 0;
    pthread_attr_destroy(&attributes);
    return is_started;
}

/* Waits for the thread if there is one. */
static void stencil_await_beside(stencil_shared *shared)
{
    if (shared->process != stencil_process())
        return;
    while (stencil_beside_is(shared) == STENCIL_STARTING || stencil_beside_is(shared) == STENCIL_JOINING)
        stencil_pause();
    if (!stencil_pass_on(shared, STENCIL_COMPILING_BESIDE, STENCIL_JOINING) &&
        !stencil_pass_on(shared, STENCIL_COMPILED, STENCIL_JOINING))
        return;
    pthread_join(shared->beside->thread, NULL);
    stencil_pass_on(shared, STENCIL_JOINING, STENCIL_JOINED);
}

/* Runs at the end of the thread that has started one, which may be the program's. */
static void stencil_end_starter(void *shared)
{
    stencil_await_beside(shared);
}

/* Runs at the end of the program, or of the library that this file is in. Other threads' calls may go on meanwhile. */
static void stencil_end_beside(void)
{
    __atomic_store_n(&stencil_shared_v9.beside_ends, 1, __ATOMIC_SEQ_CST);
    stencil_await_beside(&stencil_shared_v9);
}

/* What a compiler makes while it runs, for all its runs, is undone before what was there when it began. So the end of the
   program must wait before it undoes anything; only the end of a thread's own variables comes so early. */
extern int __cxa_thread_atexit_impl(void (*end)(void *), void *variable, void *library) __attribute__((weak));
extern char __dso_handle __attribute__((visibility("hidden"), weak));

/* Makes the end of the program wait for the thread that is about to start. */
static int stencil_is_end_awaited(stencil_shared *shared)
{
    return __cxa_thread_atexit_impl(stencil_end_starter, shared, &__dso_handle) == 0 && atexit(stencil_end_beside) == 0;
}

static int stencil_can_compile_beside(stencil_shared *shared)
{
    return pthread_create && pthread_join && pthread_sigmask && pthread_attr_init && __cxa_thread_atexit_impl &&
           !__atomic_load_n(&shared->beside_ends, __ATOMIC_SEQ_CST);
}

static void stencil_free_job(stencil_beside *job)
{
    stencil_free_built(job->own);
    free(job->source);
    free(job->options);
    free(job);
}

/* A job for the kernels that `built` wants, which become the job's; null if there is no memory for it. */
static stencil_beside *stencil_new_job(stencil_built *built, stencil_shared *shared, const stencil_device *device,
                                       const stencil_options *user)
{
    stencil_beside *job = calloc(1, sizeof *job);
    if (!job)
        return NULL;
    job->built = built;
    job->shared = shared;
    job->device = device;
    job->user = *user;
    job->user.plan = NULL;
    job->own = stencil_new_built(built->nest, built->plan);
    job->source = stencil_join_source(built->nest);
    job->options = stencil_join_options(built, device, user);
    if (!job->own || !job->source || !job->options) {
        stencil_free_job(job);
        return NULL;
    }
    job->own->has_long_positions = built->has_long_positions;
    job->own->has_sub_groups = built->has_sub_groups;
    return job;
}

/* Moves the marks of the wanted kernels. */
static void stencil_hand_out(stencil_beside *job)
{
    for (int k = 0; k < job->built->plan->kernel_count; k++) {
        if (job->built->usability[k] != STENCIL_WANTED)
            continue;
        job->own->usability[k] = STENCIL_WANTED;
        job->built->usability[k] = STENCIL_BESIDE;
    }
}

/* Nobody else may pass on from `starting`. Without a thread the caller compiles. */
static void stencil_launch_job(stencil_beside *job)
{
    stencil_shared *shared = job->shared;
    sigset_t before;
    int is_started;
    stencil_block_signals(&before);
    is_started = stencil_pass_on(shared, STENCIL_IDLE, STENCIL_STARTING) && stencil_can_compile_beside(shared) &&
                 stencil_is_end_awaited(shared) && stencil_create_thread(job);
    stencil_pass_on(shared, STENCIL_STARTING, is_started ? STENCIL_COMPILING_BESIDE : STENCIL_JOINED);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!is_started)
        stencil_compile_job(job);
}

/* Compiles the wanted kernels beside this call. 0: another thread is at work, or there is no memory; nothing is wanted then. */
static int stencil_start_beside(stencil_built *built, stencil_shared *shared, const stencil_device *device,
                                const stencil_options *user)
{
    stencil_beside *job = NULL;
    if (stencil_beside_is(shared) == STENCIL_IDLE)
        job = stencil_new_job(built, shared, device, user);
    for (int k = 0; !job && k < built->plan->kernel_count; k++)
        if (built->usability[k] == STENCIL_WANTED)
            built->usability[k] = STENCIL_UNKNOWN;
    if (!job)
        return 0;
    stencil_open_cache(&job->cache, device->id, job->source, job->options, user);
    shared->beside = job;
    stencil_hand_out(job);
    stencil_launch_job(job);
    return 1;
}

/* What the thread's kernels count as if it has failed: they are tried once more without sub-groups. */
static stencil_usability stencil_after_failure(stencil_beside *job)
{
    stencil_built *built = job->built;
    stencil_release_wanted(job->own);
    if (job->own->has_sub_groups) {
        built->has_sub_groups = 0;
        return STENCIL_UNKNOWN;
    }
    return STENCIL_UNUSABLE;
}

static void stencil_say_lacking(const stencil_beside *job, const stencil_failure *failure)
{
    const stencil_nest *nest = job->built->nest;
    if (!job->user.is_quiet && !stencil_was_said(nest, failure->reason))
        fprintf(stderr, "%s: %s: single steps take the place of time tiles: %s\n", nest->where, nest->name,
                failure->reason);
}

/* Takes over what the thread has compiled. */
static void stencil_take_over(stencil_beside *job)
{
    stencil_built *built = job->built, *own = job->own;
    stencil_failure failure = own->failure;
    stencil_usability failed = own->is_good ? STENCIL_UNUSABLE : stencil_after_failure(job);
    for (int k = 0; k < built->plan->kernel_count; k++) {
        if (built->usability[k] != STENCIL_BESIDE)
            continue;
        built->kernels[k] = own->kernels[k];
        built->usability[k] = own->is_good ? own->usability[k] : failed;
    }
    built->beside_seconds += own->seconds;
    built->is_cold = own->is_good && stencil_driver_has_cache(job->device->id);
    if (!own->is_good && failed == STENCIL_UNUSABLE)
        stencil_say_lacking(job, &failure);
    stencil_close_cache(&job->cache);
    stencil_free_job(job);
}

/* Takes over what a thread has finished. The caller holds the lock of calls. */
static void stencil_settle_beside(stencil_shared *shared)
{
    stencil_beside *job = shared->beside;
    sigset_t before;
    if (stencil_beside_is(shared) == STENCIL_COMPILED) {
        stencil_block_signals(&before);
        if (stencil_pass_on(shared, STENCIL_COMPILED, STENCIL_JOINING)) {
            pthread_join(job->thread, NULL);
            stencil_pass_on(shared, STENCIL_JOINING, STENCIL_JOINED);
        }
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (stencil_beside_is(shared) != STENCIL_JOINED)
        return;
    shared->beside = NULL;
    stencil_pass_on(shared, STENCIL_JOINED, STENCIL_IDLE);
    stencil_take_over(job);
}

#else

static int stencil_can_compile_beside(stencil_shared *shared)
{
    (void)shared;
    return 0;
}

static int stencil_start_beside(stencil_built *built, stencil_shared *shared, const stencil_device *device,
                                const stencil_options *user)
{
    (void)built, (void)shared, (void)device, (void)user;
    return 0;
}

static void stencil_settle_beside(stencil_shared *shared)
{
    (void)shared;
}

#endif
