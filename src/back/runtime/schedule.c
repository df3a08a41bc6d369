/* Which plan, and which kernel for which steps. */

/* Whether the device can run the kernel, as far as is known. */
static int stencil_may_use(const stencil_built *built, int kernel)
{
    return built->usability[kernel] != STENCIL_UNUSABLE;
}

static int stencil_has_sweep_kernels(const stencil_built *built)
{
    int sweeps = 0;
    for (int k = 0; k < built->plan->kernel_count; k++) {
        if (built->plan->kernels[k].levels > 0)
            continue;
        if (!stencil_may_use(built, k))
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

static void stencil_add_phase(stencil_work *work, int kernel, int levels, long long count, long long *step)
{
    stencil_phase *phase = &work->phases[work->phase_count];
    if (count <= 0)
        return;
    phase->kernel = kernel;
    phase->first_step = *step;
    phase->count = count;
    *step += count * levels;
    work->phase_count++;
}

/* How many launches fewer than possible of a kernel may be worth it for the sake of the others. */
enum { STENCIL_MOST_SPARED = STENCIL_MAX_SLOTS };

/* Time of `rest` steps with the kernels from `k` on, in launches of several steps, which take about the same time whatever
   their levels; a single step takes longer than one; and the prices of their kernels. `count` is what kernel `k` has of
   them. `is_complete`: the results are, if no step follows. At least `limit` if there is no shorter way. */
static double stencil_shortest(const stencil_work *work, int k, long long rest, int is_complete, double limit,
                               long long *count)
{
    const stencil_kernel *kernel = &work->plan->kernels[k];
    double shortest = limit, least = 0, price;
    long long most = 0, ignored;
    *count = 0;
    if (k == work->plan->kernel_count)
        return is_complete || rest >= work->region->last_single_steps
                   ? 1.25 * (double)rest + (rest > 0 ? stencil_single_price(work) : 0)
                   : limit;
    if (kernel->levels > 1 && stencil_may_use(work->built, k)) {
        most = rest / kernel->levels;
        least = (double)(most + (rest % kernel->levels > 0)); /* no kernel from here on has more levels */
    }
    price = most > 0 ? stencil_launches_worth(work, k) : 0;
    for (long long n = most; n >= 0 && n >= most - STENCIL_MOST_SPARED && shortest > least; n--) {
        double spent = (double)n + (n > 0 ? price : 0);
        double time = spent + stencil_shortest(work, k + 1, rest - n * kernel->levels,
                                               n > 0 ? kernel->leaves_results : is_complete, shortest - spent, &ignored);
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
static double stencil_divide_steps(stencil_work *work, int saves_compiling)
{
    const stencil_plan *plan = work->plan;
    long long step = 0, steps = work->call->steps;
    double launches = 0;
    int is_complete = 1;
    work->phase_count = 0;
    work->saves_compiling = saves_compiling;
    for (int k = 0; k < plan->kernel_count; k++) {
        long long count;
        stencil_shortest(work, k, steps - step, is_complete, 1e300, &count);
        is_complete = count > 0 ? plan->kernels[k].leaves_results : is_complete;
        launches += (double)count;
        stencil_add_phase(work, k, plan->kernels[k].levels, count, &step);
    }
    launches += 1.25 * (double)(steps - step);
    stencil_add_phase(work, stencil_single_step_kernel(work->built), 1, steps - step, &step);
    return launches;
}

/* Chooses the launches of the call, and remembers what it loses by those that kernels would spare which it does not compile. */
static int stencil_schedule(stencil_work *work)
{
    double fewest;
    if (stencil_single_step_kernel(work->built) < 0 && !stencil_has_sweep_kernels(work->built))
        return stencil_fail(&work->failure, "the work-groups are too large for device %s", work->shared->device.name);
    free(work->phases);
    work->phases = calloc((size_t)work->plan->kernel_count + 1, sizeof *work->phases);
    if (!work->phases)
        return stencil_no_memory(&work->failure);
    fewest = stencil_divide_steps(work, 0);
    if (!stencil_is_set("STENCIL_COMPILE_ALL"))
        work->built->lost_seconds += (stencil_divide_steps(work, 1) - fewest) * stencil_launch_seconds(work);
    return 1;
}

/* Whether the schedule has the kernel, or steps that are taken with all sweep kernels. */
static int stencil_is_scheduled(const stencil_work *work, int kernel)
{
    for (int p = 0; p < work->phase_count; p++)
        if (work->phases[p].kernel == kernel ||
            (work->phases[p].kernel < 0 && work->plan->kernels[kernel].levels == 0))
            return 1;
    return 0;
}

/* Whether the schedule has a kernel of the same text. */
static int stencil_is_text_scheduled(const stencil_work *work, int kernel)
{
    int first = kernel, behind = kernel + 1;
    while (stencil_shares_text(work->plan, first))
        first--;
    while (behind < work->plan->kernel_count && stencil_shares_text(work->plan, behind))
        behind++;
    for (int k = first; k < behind; k++)
        if (stencil_is_scheduled(work, k))
            return 1;
    return 0;
}

/* Marks the kernels of the schedule that have not been compiled yet, and all of their texts; whether there are any. */
static int stencil_want_scheduled(const stencil_work *work)
{
    int has_any = 0;
    for (int k = 0; k < work->plan->kernel_count; k++) {
        if (work->built->usability[k] != STENCIL_UNKNOWN || !stencil_is_text_scheduled(work, k))
            continue;
        work->built->usability[k] = STENCIL_WANTED;
        has_any = 1;
    }
    return has_any;
}

/* Schedules and compiles in turns, until the device can run all kernels of the schedule. */
static int stencil_prepare_kernels(stencil_work *work)
{
    while (work->built->is_good) {
        if (!stencil_schedule(work))
            return 0;
        if (!stencil_want_scheduled(work))
            return 1;
        stencil_build_wanted(work->built, work->shared, &work->options);
    }
    work->failure = work->built->failure;
    return 0;
}

/* Marks the slots that the kernel both reads and writes when it starts after `step` steps. */
static void stencil_mark_others(stencil_work *work, const stencil_kernel *kernel, long long step)
{
    for (int i = 0; i < kernel->arg_count; i++) {
        const stencil_arg *input = &kernel->args[i];
        for (int j = 0; j < kernel->arg_count; j++) {
            const stencil_arg *output = &kernel->args[j];
            if (input->kind == STENCIL_ARG_INPUT && output->kind == STENCIL_ARG_OUTPUT && input->a == output->a &&
                stencil_slot_at(work, input->a, step, input->b) == stencil_slot_at(work, output->a, step, output->b))
                stencil_slot_at(work, input->a, step, input->b)->needs_other = 1;
        }
    }
}

/* Slots come round after at most STENCIL_MAX_SLOTS launches of the same kernel; sweep kernels work in place. */
static void stencil_find_others(stencil_work *work)
{
    memset(work->slots, 0, (size_t)work->call->field_count * STENCIL_MAX_SLOTS * sizeof *work->slots);
    for (int p = 0; p < work->phase_count; p++) {
        const stencil_phase *phase = &work->phases[p];
        if (phase->kernel < 0)
            continue;
        for (long long i = 0; i < phase->count && i < STENCIL_MAX_SLOTS; i++) {
            const stencil_kernel *kernel = &work->plan->kernels[phase->kernel];
            stencil_mark_others(work, kernel, phase->first_step + i * kernel->levels);
        }
    }
}

/* Prepares everything for a plan, short of touching device memory. */
static int stencil_try_plan(stencil_work *work, const stencil_plan *plan)
{
    if (!stencil_check_boxes(work->call, plan, &work->failure))
        return 0;
    work->plan = plan;
    work->built = NULL;
    if (!stencil_place_layouts(work))
        return 0;
    work->built = stencil_find_built(work->shared, work->region, plan, stencil_needs_long_positions(work));
    if (!work->built)
        return stencil_no_memory(&work->failure);
    if (!stencil_prepare_kernels(work))
        return 0;
    stencil_find_others(work);
    return stencil_check_memory(work);
}

static int stencil_is_for_device(const stencil_plan *plan, const stencil_device *device)
{
    return plan->device ? stencil_mentions(device->name, plan->device) : plan->is_gpu != stencil_is_cpu(device);
}

/* Whether two plans that are for the device may differ in their sizes alone. */
static int stencil_is_for_same(const stencil_plan *a, const stencil_plan *b)
{
    return a->device && b->device ? stencil_mentions(a->device, b->device) && stencil_mentions(b->device, a->device)
                                  : !a->device && !b->device;
}

static const double stencil_farthest = 1e300;

/* How far the call's sizes are from the plan's: the product of their ratios, the larger over the smaller. Plans for all
   sizes are the farthest. */
static double stencil_size_distance(const stencil_plan *plan, const stencil_call *call)
{
    double distance = 1;
    if (!plan->sizes)
        return stencil_farthest;
    for (int i = 0; i < call->size_count; i++) {
        double asked = call->sizes[i] > 0 ? (double)call->sizes[i] : 1, made_for = (double)plan->sizes[i];
        if (plan->sizes[i] > 0)
            distance *= asked > made_for ? asked / made_for : made_for / asked;
    }
    return distance < stencil_farthest ? distance : stencil_farthest;
}

static const stencil_plan *stencil_plan_of_name(const stencil_region *region, const char *name)
{
    for (int i = 0; i < region->plan_count; i++)
        if (strcmp(region->plans[i].name, name) == 0)
            return &region->plans[i];
    return NULL;
}

/* The plan that STENCIL_PLAN names; or the first for the device, and of those for the same devices the one whose sizes
   are nearest; or the first. Null: none has that name. */
static const stencil_plan *stencil_preferred_plan(const stencil_work *work)
{
    const stencil_region *region = work->region;
    const stencil_plan *best = NULL;
    double distance = stencil_farthest;
    if (work->options.plan)
        return stencil_plan_of_name(region, work->options.plan);
    for (int i = 0; i < region->plan_count; i++) {
        const stencil_plan *plan = &region->plans[i];
        double other = stencil_size_distance(plan, work->call);
        if (!stencil_is_for_device(plan, &work->shared->device))
            continue;
        if (!best || (stencil_is_for_same(plan, best) && other < distance)) {
            best = plan;
            distance = other;
        }
    }
    return best || region->plan_count == 0 ? best : &region->plans[0];
}

/* Whether another plan may do better where this one failed. Kernels that do not compile are an error to be told, unless
   they ask for more local memory than there is. */
static int stencil_may_try_another(const stencil_work *work, const stencil_plan *failed)
{
    int is_built = work->built && work->built->is_good;
    return !work->options.plan && (is_built || failed->local_bytes > work->shared->device.local_bytes);
}

/* Tries the plans other than `failed` that are for the device, or those for all devices of the other kind. */
static int stencil_try_others(stencil_work *work, const stencil_plan *failed, int is_for_device)
{
    for (int i = 0; i < work->region->plan_count; i++) {
        const stencil_plan *plan = &work->region->plans[i];
        int fits = stencil_is_for_device(plan, &work->shared->device);
        if (plan != failed && (is_for_device ? fits : !fits && !plan->device) && stencil_try_plan(work, plan))
            return 1;
    }
    return 0;
}

/* Chooses a plan. One that does not fit the device makes way for another, unless the user has named it. */
static int stencil_choose_plan(stencil_work *work)
{
    const stencil_plan *preferred = stencil_preferred_plan(work);
    stencil_failure first;
    if (!preferred)
        return stencil_fail(&work->failure, "no plan has the name STENCIL_PLAN=%.100s",
                            work->options.plan ? work->options.plan : "");
    if (work->region->kernels_for && !work->options.plan && !stencil_is_for_device(preferred, &work->shared->device))
        return stencil_fail(&work->failure, "the program was rewritten with --kernels-for %s, and device %s is another kind",
                            work->region->kernels_for, work->shared->device.name);
    if (stencil_try_plan(work, preferred))
        return 1;
    if (!stencil_may_try_another(work, preferred))
        return 0;
    first = work->failure;
    if (work->options.shows_build_log)
        fprintf(stderr, "%s: plan %s is not taken: %s\n", work->region->where, preferred->name, first.reason);
    if (stencil_try_others(work, preferred, 1) || stencil_try_others(work, preferred, 0))
        return 1;
    work->failure = first;
    return 0;
}
