/* STENCIL_VERBOSE: where the time of calls goes. A line a call as long as they are few, a summary of each nest at the end. */

/* Calls in a row that are alike and each have a line; calls of a nest that do. STENCIL_VERBOSE=2 tells all. */
enum { STENCIL_TOLD_CALLS = 10, STENCIL_TOLD_IN_ALL = 100 };

/* The account of a nest; null if there is none. Whoever holds `teller` may change it. */
static stencil_account *stencil_account_of(const stencil_nest *nest)
{
    stencil_account *account = nest->estimate ? nest->estimate->account : NULL;
    if (!account || account->nest)
        return account;
    account->nest = nest;
    account->next = stencil_shared_v9.accounts;
    stencil_shared_v9.accounts = account;
    return account;
}

static void stencil_print_seconds(const char *what, double seconds)
{
    if (seconds >= 1e-6)
        fprintf(stderr, ", %s %.3f ms", what, 1e3 * seconds);
}

static void stencil_print_parts(const double *seconds)
{
    double all = 0;
    for (int p = 0; p < STENCIL_PART_COUNT; p++)
        all += seconds[p];
    for (int p = 0; p < STENCIL_PART_COUNT; p++)
        stencil_print_seconds(stencil_part_names[p], seconds[p]);
    fprintf(stderr, ", %.3f ms in all", 1e3 * all);
}

static void stencil_print_summary(const stencil_account *account)
{
    const stencil_nest *nest = account->nest;
    fprintf(stderr, "%s: %s: %lld calls, %lld on the device", nest->where, nest->name,
            account->device_calls + account->host_calls, account->device_calls);
    if (account->device_calls > 0)
        stencil_print_parts(account->device_seconds);
    if (account->host_calls > 0)
        fprintf(stderr, "; %lld by the original loops, %.3f ms", account->host_calls, 1e3 * account->host_seconds);
    fputc('\n', stderr);
}

/* Runs at the end of the program. A child prints nothing of its parent's. */
static void stencil_print_summaries(void)
{
    const stencil_account *account;
    if (stencil_shared_v9.summing_process != stencil_process())
        return;
    stencil_take(&stencil_shared_v9.teller);
    for (account = stencil_shared_v9.accounts; account; account = account->next)
        if (account->device_calls + account->host_calls > 1)
            stencil_print_summary(account);
    stencil_give(&stencil_shared_v9.teller);
}

/* Begins to write into the account of a nest; null if it has none. */
static stencil_account *stencil_open_account(const stencil_nest *nest)
{
    stencil_take(&stencil_shared_v9.teller);
    if (stencil_shared_v9.summing_process == 0 && atexit(stencil_print_summaries) == 0)
        stencil_shared_v9.summing_process = stencil_process();
    return stencil_account_of(nest);
}

static void stencil_close_account(void)
{
    stencil_give(&stencil_shared_v9.teller);
}

static void stencil_say_silent(const stencil_account *account, const char *which)
{
    fprintf(stderr, "%s: %s: more calls %s will be told at the end; STENCIL_VERBOSE=2 tells each\n",
            account->nest->where, account->nest->name, which);
}

/* Whether loops that run in place of the device get a line. */
static int stencil_tells_loops(stencil_account *account, const stencil_options *options)
{
    if (options->shows_build_log || ++account->told_loops <= STENCIL_TOLD_CALLS)
        return 1;
    if (account->told_loops == STENCIL_TOLD_CALLS + 1)
        stencil_say_silent(account, "like these");
    return 0;
}

/* Whether a call on the device gets a line; `like` is what it has in common with others. */
static int stencil_tells_call(stencil_account *account, const stencil_options *options, const char *like)
{
    int is_alike;
    if (!account || options->shows_build_log)
        return 1;
    is_alike = strncmp(account->last, like, sizeof account->last - 1) == 0;
    account->told_alike = is_alike ? account->told_alike + 1 : 1;
    snprintf(account->last, sizeof account->last, "%s", like);
    if (account->told_alike > STENCIL_TOLD_CALLS || account->told_calls >= STENCIL_TOLD_IN_ALL) {
        if (account->told_alike == STENCIL_TOLD_CALLS + 1)
            stencil_say_silent(account, "like these");
        return 0;
    }
    if (++account->told_calls == STENCIL_TOLD_IN_ALL)
        stencil_say_silent(account, "");
    return 1;
}

/* Counts loops that ran because the device would have taken longer, or could not be used. */
static void stencil_account_loops(stencil_account *account, double seconds)
{
    stencil_take(&stencil_shared_v9.teller);
    account->host_seconds += seconds;
    stencil_give(&stencil_shared_v9.teller);
}

/* A call has been left to its loops since the device would take longer. */
static void stencil_account_stay(const stencil_work *work, double host, double device, double start)
{
    const stencil_nest *nest = work->nest;
    stencil_account *account = stencil_open_account(nest);
    account->host_calls++;
    if (stencil_tells_loops(account, &work->options)) {
        fprintf(stderr, "%s: %s: its original loops take less time: about %.3f ms, the device %.3f ms", nest->where,
                nest->name, 1e3 * host, 1e3 * device);
        if (start > 0)
            fprintf(stderr, " and %.0f ms until it is ready", 1e3 * start);
        fputc('\n', stderr);
    }
    stencil_close_account();
}

/* Tells of a call that began while kernels were lacking: what their compilation beside it took has gone on in other parts. */
static void stencil_print_climb(const stencil_work *work)
{
    if (!work->session.climb.began_low)
        return;
    fprintf(stderr, ", first launch after %.3f ms, %lld steps by sweep kernels in place of tiles",
            1e3 * (work->session.first_launch - work->started), work->session.climb.steps);
    stencil_print_seconds("compiler beside so far", work->session.built->beside_seconds);
}

/* Tells of a call on the device; the parts that have names of their own stand before the others. */
static void stencil_print_call(const stencil_work *work)
{
    const double *seconds = work->session.seconds;
    double updates = stencil_count_cells(work->call) * (double)work->call->steps, all = 0;
    for (int p = 0; p < STENCIL_PART_COUNT; p++)
        all += seconds[p];
    fprintf(stderr,
            "%s: %s: plan %s%s%s, %lld steps in %lld launches, kernels %.3f ms, upload %.3f ms, download %.3f ms, "
            "start %.3f ms",
            work->nest->where, work->nest->name, work->session.plan->name, work->session.plan->device ? " for " : "",
            work->session.plan->device ? work->session.plan->device : "", work->call->steps, work->session.launches,
            1e3 * seconds[STENCIL_KERNELS], 1e3 * seconds[STENCIL_UPLOADING], 1e3 * seconds[STENCIL_DOWNLOADING],
            1e3 * (seconds[STENCIL_OPENING] + seconds[STENCIL_COMPILING] + seconds[STENCIL_CHECKING]));
    if (seconds[STENCIL_OPENING] + seconds[STENCIL_COMPILING] >= 1e-6)
        fprintf(stderr, " (device %.3f, compiler %.3f)", 1e3 * seconds[STENCIL_OPENING], 1e3 * seconds[STENCIL_COMPILING]);
    stencil_print_climb(work);
    for (int p = STENCIL_LAUNCHING; p < STENCIL_PART_COUNT; p++)
        stencil_print_seconds(stencil_part_names[p], seconds[p]);
    fprintf(stderr, ", %.3f ms in all, %.3f GCells/s\n", 1e3 * all,
            seconds[STENCIL_KERNELS] > 0 ? 1e-9 * updates / seconds[STENCIL_KERNELS] : 0.0);
}

/* A call has run on the device. */
static void stencil_account_device(const stencil_work *work)
{
    stencil_account *account = stencil_open_account(work->nest);
    char like[64];
    snprintf(like, sizeof like, "%lld in %lld, %.40s", work->call->steps, work->session.launches, work->session.plan->name);
    for (int p = 0; account && p < STENCIL_PART_COUNT; p++)
        account->device_seconds[p] += work->session.seconds[p];
    if (account)
        account->device_calls++;
    if (stencil_tells_call(account, &work->options, like))
        stencil_print_call(work);
    stencil_close_account();
}

/* A call could not run on the device; its loops will. */
static void stencil_account_failure(const stencil_work *work, stencil_turn *turn)
{
    stencil_account *account = stencil_open_account(work->nest);
    if (account)
        account->host_calls++;
    stencil_close_account();
    if (account && turn)
        stencil_time_loops(turn, work, 0);
}

/* Loops have run, and the device's results have been compared with theirs. */
static void stencil_account_verification(const stencil_nest *nest, double seconds)
{
    stencil_account *account = stencil_open_account(nest);
    if (account)
        account->device_seconds[STENCIL_VERIFYING] += seconds;
    stencil_close_account();
}
