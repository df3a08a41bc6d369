/* Whether a call is worth the device.

   The model says beforehand what the loops cost and what the device does. Where results are the same bit by bit, what calls
   have taken corrects it: a factor for the loops, one for the device. Whoever starts the device pays for opening it and for
   compiling kernels, once. As one who does not know how often he will go skiing rents skis until the rent has come to their
   price, calls stay with their loops until what they have lost by that comes to the price of the start: together they take
   at most twice as long as if they had known. One long call goes to the device at once.

   Example: the loops take 30 ms, the device 10 ms, its start 200 ms. Calls 1 to 9 miss 180 ms, the tenth starts the device.
   If the loops took 300 ms, the first call would. */

#ifndef STENCIL_COMPILE_SECONDS
#define STENCIL_COMPILE_SECONDS 2.0
#endif

/* What is common to devices of a kind, in seconds; on two cores with PoCL 3.1, and on an NVIDIA H200. */
typedef struct {
    double open;           /* until it is open */
    double compile, take;  /* until the kernels of a nest are compiled, or taken from a cache */
    double call, launch;   /* what each of them takes at least */
    double byte_up, byte_down;
} stencil_price;

static const stencil_price stencil_cpu_price = {0.12, STENCIL_COMPILE_SECONDS, 0.05, 3e-4, 3e-5, 1.5e-9, 0.2e-9};
static const stencil_price stencil_gpu_price = {0.30, STENCIL_COMPILE_SECONDS / 2, 0.02, 2.5e-4, 1e-5, 0.12e-9, 0.06e-9};

static const double stencil_row_launches = 4;       /* moving a row of a history takes so much longer than its bytes say */
static const double stencil_sure_seconds = 1e-2;    /* one measurement of so long a time is enough */
static const double stencil_least_seconds = 5e-5;   /* what is shorter tells nothing */
static const double stencil_recheck_seconds = 1e-2; /* small calls are looked at once in so long a time */
static const double stencil_most_factor = 30;       /* the model is not wrong by more: somebody slept */

/* Cells of the largest sweep. */
static double stencil_count_cells(const stencil_call *call)
{
    double largest = 0;
    for (int i = 0; i < call->sweep_count; i++) {
        const stencil_box *domain = &call->sweeps[i].domain;
        double cells = 1;
        for (int d = 0; d < call->sweeps[i].rank; d++)
            cells *= domain->lo[d] <= domain->hi[d] ? (double)(domain->hi[d] - domain->lo[d] + 1) : 0;
        if (cells > largest)
            largest = cells;
    }
    return largest;
}

static void stencil_account_loops(stencil_account *account, double seconds);
static void stencil_account_stay(const stencil_work *work, double host, double device, double start);

static int stencil_finds_gpu(void)
{
#if STENCIL_POSIX
    static const char *const files[] = {"/dev/nvidiactl", "/dev/kfd", "/dev/dxg"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (access(files[i], F_OK) == 0)
            return 1;
#endif
    return 0;
}

/* Whether this machine looks like one with a GPU, as long as no device is open. */
static int stencil_expects_gpu(void)
{
    static int known; /* 0: nobody has looked yet, 1: there is one, 2: there is none */
    if (!stencil_peek(&known))
        stencil_raise(&known, stencil_finds_gpu() ? 1 : 2);
    return stencil_peek(&known) == 1;
}

/* Whether what was measured may count: it must not where results could depend on it. */
static int stencil_may_learn(const stencil_nest *nest)
{
    return nest->estimate && nest->roundings == 0;
}

/* The faster of the last two measurements, since whatever disturbs one makes it longer. */
static void stencil_learn(double *factor, double *last, double measured, double expected)
{
    double before = stencil_recall(last), now;
    if (expected <= 0 || measured < stencil_least_seconds)
        return;
    now = measured / expected;
    now = now < stencil_most_factor ? now : stencil_most_factor;
    stencil_note(last, now);
    if (before > 0 || measured >= stencil_sure_seconds)
        stencil_note(factor, before > 0 && before < now ? before : now);
}

static double stencil_factor(const stencil_nest *nest, const double *factor)
{
    double known = stencil_may_learn(nest) ? stencil_recall(factor) : 0;
    return known > 0 ? known : 1;
}

/* What past calls have taken on the device; null if none has run there, and its kernels are not compiled. */
static const stencil_pace *stencil_pace_of(const stencil_work *work)
{
    return stencil_find_pace(stencil_current_device(work->shared), work->nest);
}

/* What the device takes compared with what the model expects. */
static double stencil_device_factor(const stencil_work *work)
{
    const stencil_pace *pace = stencil_pace_of(work);
    return pace ? stencil_factor(work->nest, &pace->factor) : 1;
}

/* What the model and past calls say of a call. */
typedef struct {
    const stencil_price *price; /* of the kind of device that is open or will be */
    const stencil_speed *speed;
    double cells, steps;
    double update;              /* seconds for a cell in a step, by the loops */
    double host, device;        /* seconds for the call */
    double start;               /* seconds until the device is ready, as far as that has still to be paid */
} stencil_forecast;

/* Where results may differ a little the kind of device is the same in all calls. */
static void stencil_expect_device(const stencil_work *work, stencil_forecast *forecast)
{
    const stencil_estimate *estimate = work->nest->estimate;
    const stencil_device *device = stencil_may_learn(work->nest) ? stencil_current_device(work->shared) : NULL;
    int is_gpu = device ? !stencil_is_cpu(device) : stencil_expects_gpu();
    forecast->price = is_gpu ? &stencil_gpu_price : &stencil_cpu_price;
    forecast->speed = is_gpu ? &estimate->gpu : &estimate->cpu;
}

/* Seconds that the model expects of a call on the device once that is ready. */
static double stencil_device_seconds(const stencil_estimate *estimate, const stencil_forecast *forecast)
{
    const stencil_price *price = forecast->price;
    const stencil_speed *speed = forecast->speed;
    double cells = forecast->cells, steps = forecast->steps;
    int is_tiled = speed->levels > 0 && steps >= speed->levels;
    double launches = is_tiled ? steps / speed->levels + 1 : steps;
    return price->call + launches * price->launch +
           cells * (estimate->bytes_up * price->byte_up + estimate->bytes_down * price->byte_down) +
           cells * steps * (estimate->row_bytes_up * price->byte_up + estimate->row_bytes_down * price->byte_down) +
           stencil_row_launches * steps * estimate->rows * price->launch +
           cells * steps * (is_tiled ? speed->tile_seconds : speed->step_seconds);
}

/* Whether the kernels were compiled in an earlier run. */
static int stencil_was_started(const stencil_nest *nest)
{
    int *known = &nest->estimate->account->was_started;
    if (!stencil_peek(known))
        stencil_raise(known, stencil_was_started_before(nest) ? 1 : 2);
    return stencil_peek(known) == 1;
}

/* What the start of the device costs one who could spend `gain` on it. Earlier runs count only where the results do not depend
   on it, and are looked up only where they matter. */
static double stencil_start_seconds(const stencil_work *work, const stencil_turn *turn, const stencil_price *price,
                                    double gain)
{
    int learns = stencil_may_learn(work->nest);
    double open = learns && stencil_current_device(work->shared) ? 0 : price->open;
    if (turn->has_started || (learns && stencil_pace_of(work)))
        return 0;
    if (learns && gain >= open + price->take && gain < open + price->compile && stencil_was_started(work->nest))
        return open + price->take;
    return open + price->compile;
}

static void stencil_foresee(stencil_work *work, const stencil_turn *turn, stencil_forecast *forecast)
{
    const stencil_estimate *estimate = work->nest->estimate;
    forecast->cells = stencil_count_cells(work->call);
    forecast->steps = (double)work->call->steps;
    stencil_expect_device(work, forecast);
    forecast->update = estimate->host_seconds * stencil_factor(work->nest, &estimate->account->host_factor);
    forecast->host = forecast->cells * forecast->steps * forecast->update;
    work->expected_seconds = stencil_device_seconds(estimate, forecast);
    forecast->device = work->expected_seconds * stencil_device_factor(work);
    forecast->start = stencil_start_seconds(work, turn, forecast->price, turn->missed + forecast->host - forecast->device);
}

/* The share of the present call in what is foreseen. */
static double stencil_share(const stencil_work *work)
{
    return work->foreseen > 0 ? 1 / work->foreseen : 1;
}

/* The original loops run, and somebody wants to know when they have. */
static STENCIL_UNUSED void stencil_watch_loops(stencil_turn *turn)
{
    turn->quick->stencil_asked = turn->quick;
}

/* Lets calls that take less time than any call on the device get their answer at once. */
static void stencil_remember_small(stencil_turn *turn, const stencil_work *work, const stencil_forecast *forecast)
{
    double factor = stencil_device_factor(work);
    /* One of many that are recorded must only be worth its launch. */
    double least = work->foreseen > 1 ? forecast->price->launch : forecast->price->call;
    double calls = stencil_recheck_seconds / (forecast->host * stencil_share(work) + 1e-9);
    stencil_quick *quick = turn->quick;
    quick->stencil_sizes[0] = LONG_MIN; /* no call's: all are compared anew */
    quick->stencil_small = work->options.is_verbose ? 0 : least * (factor < 1 ? factor : 1) / forecast->update;
    quick->stencil_rest = stencil_may_learn(work->nest) && calls < INT_MAX ? (int)calls : INT_MAX;
}

/* Begins to time the loops; `expected` is what the model says. */
static void stencil_time_loops(stencil_turn *turn, const stencil_work *work, double expected)
{
    turn->is_told = work->options.is_verbose;
    turn->is_timed = turn->is_told || stencil_may_learn(work->nest);
    turn->expected = expected;
    if (turn->is_timed)
        turn->start = stencil_worked();
}

/* The loops have run. */
static void stencil_note_loops(const stencil_nest *nest, stencil_turn *turn)
{
    stencil_account *account = nest->estimate->account;
    double seconds = stencil_worked() - turn->start;
    turn->is_timed = 0;
    if (stencil_may_learn(nest))
        stencil_learn(&account->host_factor, &account->host_last, seconds, turn->expected);
    if (turn->is_told)
        stencil_account_loops(account, seconds);
}

/* Whether the loops have never been measured, and might be much faster than the model thinks. */
static int stencil_is_doubtful(const stencil_work *work, const stencil_forecast *forecast)
{
    const stencil_account *account = work->nest->estimate->account;
    const stencil_pace *pace = stencil_pace_of(work);
    return stencil_may_learn(work->nest) && forecast->start <= 0 && stencil_recall(&account->host_factor) <= 0 && pace &&
           stencil_recall(&pace->factor) > 0 && forecast->host < 4 * forecast->device;
}

/* Whether somebody has asked for the device, or nothing is known. */
static int stencil_must_run_on_device(const stencil_work *work, const stencil_turn *turn)
{
    const stencil_options *options = &work->options;
    return !turn || !work->nest->estimate || work->nest->no_fallback || options->names_device || options->verifies ||
           options->odd_verify;
}

/* Whether the loops of a call, which does some work, are to run because the device would take longer. */
static int stencil_stays_on_host(stencil_work *work, stencil_turn *turn)
{
    stencil_forecast forecast;
    double gain, share;
    if (stencil_must_run_on_device(work, turn))
        return 0;
    stencil_foresee(work, turn, &forecast);
    gain = forecast.host - forecast.device;
    if (gain > 0 && turn->missed + gain >= forecast.start && !stencil_is_doubtful(work, &forecast))
        return 0;
    /* What many calls would gain is missed by the one that the loops take now. */
    share = stencil_share(work);
    turn->missed += gain > 0 ? gain * share : 0;
    stencil_remember_small(turn, work, &forecast);
    if (work->options.is_verbose)
        stencil_account_stay(work, forecast.host, forecast.device, forecast.start);
    stencil_time_loops(turn, work, share * forecast.cells * forecast.steps * work->nest->estimate->host_seconds);
    return 1;
}

/* Notes that the nest has run on the device, if it had anything to compile. */
static void stencil_note_started(const stencil_work *work)
{
    if (work->session.seconds[STENCIL_COMPILING] > 0 && stencil_may_learn(work->nest))
        stencil_keep_started(work->nest, work->session.device->id);
}

/* A call has run on the device and taken `seconds`, in which nothing was opened or compiled if `was_ready`. */
static void stencil_note_device(const stencil_work *work, stencil_turn *turn, double seconds, int was_ready)
{
    stencil_pace *pace;
    if (!work->nest->estimate || !turn)
        return;
    turn->has_started = 1;
    pace = stencil_keep_pace(work->session.device, work->nest);
    stencil_note_started(work);
    if (pace && was_ready && stencil_may_learn(work->nest))
        stencil_learn(&pace->factor, &pace->last, seconds, work->expected_seconds);
}
