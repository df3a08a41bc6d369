/* Which kernel for which steps. */

/* Whether the device can run all sweep kernels: at once, or as far as is known. */
static int stencil_has_sweep_kernels(const stencil_built *built, int at_once)
{
    int sweeps = 0;
    for (int k = 0; k < built->plan->kernel_count; k++) {
        if (built->plan->kernels[k].levels > 0)
            continue;
        if (at_once ? built->usability[k] != STENCIL_USABLE : !stencil_may_use(built, k))
            return 0;
        sweeps++;
    }
    return sweeps > 0;
}

/* The usable kernel of one level; -1: single steps are taken sweep by sweep. */
static int stencil_single_step_kernel(const stencil_built *built)
{
    for (int k = 0; k < built->plan->kernel_count; k++)
        if (built->plan->kernels[k].levels == 1 && stencil_may_use(built, k))
            return k;
    return -1;
}

static void stencil_add_phase(stencil_session *session, int kernel, int levels, long long count, long long *step)
{
    stencil_phase *phase = &session->phases[session->phase_count];
    if (count <= 0)
        return;
    phase->kernel = kernel;
    phase->first_step = *step;
    phase->count = count;
    *step += count * levels;
    session->phase_count++;
}

/* Single steps that must follow a launch of several until the results are complete. */
static long long stencil_lacking_behind(const stencil_session *session, const stencil_kernel *kernel)
{
    return kernel->leaves_results ? 0 : session->nest->last_single_steps;
}

/* Whether a launch may be the last one of those behind which results need not be complete: taken back, it leaves steps enough to
   complete what was lacking before it. */
static int stencil_may_stay_open(const stencil_session *session, const stencil_kernel *kernel)
{
    return !session->stays_open || kernel->levels >= stencil_lacking_behind(session, kernel);
}

/* How many launches fewer than possible of a kernel may be worth it for the sake of the others. */
enum { STENCIL_MOST_SPARED = STENCIL_MAX_SLOTS };

/* Time of `rest` steps with the kernels from `k` on, in launches of several steps, which take about the same time whatever
   their levels; a single step takes longer than one; and the prices of their kernels. `count` is what kernel `k` has of
   them. `lacking`: so many single steps complete the results. At least `limit` if there is no shorter way. */
static double stencil_shortest(const stencil_session *session, int k, long long rest, long long lacking, double limit,
                               long long *count)
{
    const stencil_kernel *kernel = &session->plan->kernels[k];
    double shortest = limit, least = 0, price;
    long long most = 0, ignored;
    *count = 0;
    if (k == session->plan->kernel_count)
        return (session->stays_open && rest == 0) || rest >= lacking
                   ? 1.25 * (double)rest + (rest > 0 ? stencil_single_price(session) : 0)
                   : limit;
    if (kernel->levels > 1 && !session->takes_singly && stencil_may_use(session->built, k) &&
        stencil_may_stay_open(session, kernel)) {
        most = rest / kernel->levels;
        least = (double)(most + (rest % kernel->levels > 0)); /* no kernel from here on has more levels */
    }
    price = most > 0 ? stencil_launches_worth(session, k) : 0;
    for (long long n = most; n >= 0 && n >= most - STENCIL_MOST_SPARED && shortest > least; n--) {
        double spent = (double)n + (n > 0 ? price : 0);
        double time = spent + stencil_shortest(session, k + 1, rest - n * kernel->levels,
                                               n > 0 ? stencil_lacking_behind(session, kernel) : lacking, shortest - spent,
                                               &ignored);
        if (time < shortest) {
            shortest = time;
            *count = n;
        }
    }
    return shortest;
}

/* Divides the steps among the kernels, most levels first; what remains is taken one step at a time. Gives the launches, single
   steps counted as in `stencil_shortest`.

   Example: kernels of 7 levels, and of 7 and 3 that leave results, 1 last single step. 14 steps: a launch of the first and one
   of the second; 15 steps: two of the first, a single step; 16 steps: a launch of the first, three of the last. */
static double stencil_divide_steps(stencil_session *session, int saves_compiling)
{
    const stencil_plan *plan = session->plan;
    long long step = 0, steps = session->asked;
    long long lacking = session->lacking;
    double launches = 0;
    session->phase_count = 0;
    session->saves_compiling = saves_compiling;
    for (int k = 0; k < plan->kernel_count; k++) {
        long long count;
        stencil_shortest(session, k, steps - step, lacking, 1e300, &count);
        lacking = count > 0 ? stencil_lacking_behind(session, &plan->kernels[k]) : lacking;
        launches += (double)count;
        stencil_add_phase(session, k, plan->kernels[k].levels, count, &step);
    }
    launches += 1.25 * (double)(steps - step);
    stencil_add_phase(session, stencil_single_step_kernel(session->built), 1, steps - step, &step);
    return launches;
}

/* Chooses the launches of the call. `lost`: seconds by those that kernels would spare which it does not compile. */
static int stencil_schedule(stencil_session *session, double *lost)
{
    double fewest;
    *lost = 0;
    if (stencil_single_step_kernel(session->built) < 0 && !stencil_has_sweep_kernels(session->built, 0))
        return stencil_fail(&session->failure, "the work-groups are too large for device %s", session->device->name);
    free(session->phases);
    session->phases = calloc((size_t)session->plan->kernel_count + 1, sizeof *session->phases);
    if (!session->phases)
        return stencil_no_memory(&session->failure);
    fewest = stencil_divide_steps(session, 0);
    session->main_levels = stencil_find_main_levels(session);
    if (!stencil_is_set("STENCIL_COMPILE_ALL"))
        *lost = (stencil_divide_steps(session, 1) - fewest) * stencil_launch_seconds(session);
    return 1;
}

/* Whether the schedule has the kernel, or steps that are taken with all sweep kernels. */
static int stencil_is_scheduled(const stencil_session *session, int kernel)
{
    for (int p = 0; p < session->phase_count; p++)
        if (session->phases[p].kernel == kernel ||
            (session->phases[p].kernel < 0 && session->plan->kernels[kernel].levels == 0))
            return 1;
    return 0;
}

/* Whether the schedule has a kernel of the same text. */
static int stencil_is_text_scheduled(const stencil_session *session, int kernel)
{
    int first = kernel, behind = kernel + 1;
    while (stencil_shares_text(session->plan, first))
        first--;
    while (behind < session->plan->kernel_count && stencil_shares_text(session->plan, behind))
        behind++;
    for (int k = first; k < behind; k++)
        if (stencil_is_scheduled(session, k))
            return 1;
    return 0;
}

/* Marks the kernels of the schedule that have not been compiled yet, and all of their texts; whether there are any. */
static int stencil_want_scheduled(const stencil_session *session)
{
    int has_any = 0;
    for (int k = 0; k < session->plan->kernel_count; k++) {
        if (session->built->usability[k] != STENCIL_UNKNOWN || !stencil_is_text_scheduled(session, k))
            continue;
        session->built->usability[k] = STENCIL_WANTED;
        has_any = 1;
    }
    return has_any;
}

/* Marks the slots that the kernel swaps when it starts after `step` steps. */
static void stencil_mark_others(stencil_session *session, const stencil_kernel *kernel, long long step)
{
    for (int i = 0; i < kernel->swap_count; i++)
        stencil_slot_at(session, kernel->swaps[i].field, step, kernel->swaps[i].slot)->needs_other = 1;
}

/* Slots come round after at most STENCIL_MAX_SLOTS launches of the same kernel, but for rows of histories; sweep kernels work in
   place. */
static void stencil_find_others(stencil_session *session)
{
    for (int p = 0; p < session->phase_count; p++) {
        const stencil_phase *phase = &session->phases[p];
        if (phase->kernel < 0)
            continue;
        for (long long i = 0; i < phase->count && (i < STENCIL_MAX_SLOTS || session->expansion); i++) {
            const stencil_kernel *kernel = &session->plan->kernels[phase->kernel];
            stencil_mark_others(session, kernel, session->step + phase->first_step + i * kernel->levels);
        }
    }
}
