/* Which plan. */

/* Prepares everything for a plan, short of touching device memory. */
static int stencil_try_plan(stencil_work *work, const stencil_plan *plan)
{
    if (!stencil_check_boxes(work->call, plan, &work->failure))
        return 0;
    work->plan = plan;
    work->built = NULL;
    if (!stencil_place_layouts(work))
        return 0;
    work->built = stencil_find_built(work->device, work->region, plan, stencil_needs_long_positions(work));
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
        if (!stencil_is_for_device(plan, work->device))
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
    return !work->options.plan && (is_built || failed->local_bytes > work->device->local_bytes);
}

/* Tries the plans other than `failed` that are for the device, or those for all devices of the other kind. */
static int stencil_try_others(stencil_work *work, const stencil_plan *failed, int is_for_device)
{
    for (int i = 0; i < work->region->plan_count; i++) {
        const stencil_plan *plan = &work->region->plans[i];
        int fits = stencil_is_for_device(plan, work->device);
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
    if (work->region->kernels_for && !work->options.plan && !stencil_is_for_device(preferred, work->device))
        return stencil_fail(&work->failure, "the program was rewritten with --kernels-for %s, and device %s is another kind",
                            work->region->kernels_for, work->device->name);
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
