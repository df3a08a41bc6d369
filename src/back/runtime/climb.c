/* Beginning a call while some of its kernels are lacking: sweep kernels, which compile fast, take its first steps, each launch
   of several replaced by as many single ones, while a thread compiles the others. README.md tells when and why. */

#ifndef STENCIL_PATIENCE
#define STENCIL_PATIENCE 0.25 /* of the time for compiling, in single steps, until somebody compiles */
#endif

static const double stencil_batch_seconds = 1e-3; /* between two looks, about */
enum { STENCIL_MOST_REPLACED = 256 };             /* launches in a batch */

/* Whether calls may begin with sweep kernels: results are the same, and nobody asks for certain kernels. */
static int stencil_may_begin_low(const stencil_session *session)
{
    const stencil_options *options = &session->options;
    return session->nest->roundings == 0 && !options->verifies && !options->plan && !stencil_is_set("STENCIL_COMPILE_ALL") &&
           stencil_has_sweep_kernels(session->built, 0) && stencil_can_compile_beside(session->shared);
}

/* Seconds of compiling the tile kernels that are wanted, each text once. */
static double stencil_wanted_seconds(const stencil_session *session)
{
    double seconds = 0;
    int last = -1;
    for (int k = 0; k < session->plan->kernel_count; k++) {
        if (session->plan->kernels[k].levels == 0 || session->built->usability[k] != STENCIL_WANTED)
            continue;
        seconds += stencil_text_seconds(session, k, last);
        last = k;
    }
    return seconds;
}

/* Whether single steps alone would take longer than compiling what is wanted. On a CPU such a call compiles first, as compilers
   and kernels share its cores, and PoCL launches nothing while it makes machine code. */
static int stencil_is_long(const stencil_session *session)
{
    double launches = (double)session->asked * session->call->sweep_count;
    return launches * stencil_launch_seconds(session) > stencil_wanted_seconds(session);
}

/* Gives the tile kernels, or the sweep kernels, of one mark another; how many there are. */
static int stencil_mark(stencil_built *built, int is_sweep, stencil_usability from, stencil_usability to)
{
    int count = 0;
    for (int k = 0; k < built->plan->kernel_count; k++)
        if ((built->plan->kernels[k].levels == 0) == is_sweep && built->usability[k] == from) {
            built->usability[k] = to;
            count++;
        }
    return count;
}

/* Whether the wanted tile kernels, alone, are in the cache; then they are ready. */
static int stencil_finds_tiles(const stencil_session *session)
{
    stencil_built *built = session->built;
    stencil_mark(built, 1, STENCIL_WANTED, STENCIL_UNKNOWN);
    if (!stencil_take_wanted(built, session->device, &session->options))
        return 0;
    stencil_judge_wanted(built, session->device, &session->options);
    return 1;
}

/* Puts wanted tile kernels off if the call can begin without them, and wants all sweep kernels instead. Tiles that are in the
   cache are taken from there. */
static void stencil_begin_low(stencil_session *session)
{
    stencil_built *built = session->built;
    if (stencil_mark(built, 0, STENCIL_WANTED, STENCIL_WANTED) == 0 || !stencil_may_begin_low(session) ||
        (stencil_is_cpu(session->device) && stencil_is_long(session)) ||
        (!built->begins_low && stencil_finds_tiles(session)))
        return;
    if (!built->begins_low)
        built->was_started = stencil_was_started_before(session->nest);
    built->begins_low = built->begins_low ? built->begins_low : 1;
    stencil_mark(built, 0, STENCIL_WANTED, STENCIL_UNKNOWN);
    stencil_mark(built, 1, STENCIL_UNKNOWN, STENCIL_WANTED);
}

/* Whether kernels of the schedule are not ready. */
static int stencil_lacks_kernels(const stencil_session *session)
{
    for (int p = 0; p < session->phase_count; p++)
        if (session->phases[p].kernel >= 0 && session->built->usability[session->phases[p].kernel] != STENCIL_USABLE)
            return 1;
    return 0;
}

/* What has come of compiling. */
static int stencil_is_built(stencil_session *session)
{
    if (!session->built->is_good)
        session->failure = session->built->failure;
    return session->built->is_good;
}

/* Schedules and compiles in turns, until the device can run all kernels of the schedule, or others in their place. */
static int stencil_prepare_kernels(stencil_session *session)
{
    stencil_built *built = session->built;
    double lost = 0;
    int is_ready = 0;
    memset(&session->climb, 0, sizeof session->climb);
    stencil_settle_beside(session->shared);
    while (built->is_good && !is_ready) {
        if (!stencil_schedule(session, &lost))
            return 0;
        is_ready = !stencil_want_scheduled(session);
        if (is_ready)
            break;
        stencil_begin_low(session);
        is_ready = built->begins_low && stencil_wanted_bits(built) == 0;
        stencil_build_wanted(built, session->device, &session->options);
    }
    if (!stencil_is_built(session))
        return 0;
    built->lost_seconds += lost;
    session->climb.is_low = session->climb.began_low = stencil_lacks_kernels(session) || built->is_cold;
    return 1;
}

/* Seconds of single steps that are worth changing over to the schedule's own kernels, or compiling them. */
static double stencil_climb_price(const stencil_session *session)
{
    double seconds = 0;
    int last = -1;
    if (!stencil_lacks_kernels(session))
        return session->built->beside_seconds;
    for (int p = 0; p < session->phase_count; p++) {
        int kernel = session->phases[p].kernel;
        if (kernel < 0)
            continue;
        seconds += stencil_text_seconds(session, kernel, last);
        last = kernel;
    }
    return session->built->was_started ? 0 : STENCIL_PATIENCE * seconds;
}

/* Looks whether kernels have come, or should. */
static void stencil_look_up(stencil_session *session)
{
    stencil_climb *climb = &session->climb;
    stencil_built *built = session->built;
    int is_worth;
    stencil_settle_beside(session->shared);
    is_worth = built->low_seconds + (double)climb->left * climb->step_seconds >= stencil_climb_price(session);
    climb->is_low = stencil_lacks_kernels(session) || (built->is_cold && !is_worth);
    if (is_worth && stencil_lacks_kernels(session) && stencil_want_scheduled(session))
        stencil_start_beside(built, session->shared, session->device, &session->options);
}

/* Begins to count the steps of a batch. PoCL compiles in the first of all. */
static void stencil_begin_batch(stencil_session *session)
{
    session->climb.is_measured = session->built->begins_low > 1;
    session->climb.filled = session->climb.batch_steps = 0;
    session->climb.since = stencil_now();
}

/* Waits for a batch, so that few launches are on their way when kernels come. */
static int stencil_end_batch(stencil_session *session)
{
    stencil_climb *climb = &session->climb;
    double seconds, step;
    if (!stencil_ok(&session->failure, clFinish(session->device->queue), "clFinish"))
        return 0;
    seconds = stencil_now() - climb->since;
    step = seconds / (double)climb->batch_steps;
    if (climb->is_measured) {
        session->built->low_seconds += seconds;
        climb->step_seconds = climb->step_seconds > 0 && climb->step_seconds < step ? climb->step_seconds : step;
    }
    if (seconds < stencil_batch_seconds && climb->batch < STENCIL_MOST_REPLACED)
        climb->batch *= 2;
    session->built->begins_low = 2;
    return 1;
}

/* A launch of several steps has been replaced; `left` steps follow. */
static int stencil_count_replaced(stencil_session *session, int levels, long long left)
{
    stencil_climb *climb = &session->climb;
    climb->steps += levels;
    climb->batch_steps += levels;
    climb->left = left;
    if (++climb->filled < climb->batch && left > 0)
        return 1;
    if (!stencil_end_batch(session))
        return 0;
    if (left > 0)
        stencil_look_up(session);
    stencil_begin_batch(session);
    return 1;
}

/* Before the first launch. */
static void stencil_begin_climb(stencil_session *session)
{
    if (!session->climb.is_low)
        return;
    session->climb.batch = 1;
    session->climb.left = session->asked;
    stencil_look_up(session);
    stencil_begin_batch(session);
}
