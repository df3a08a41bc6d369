/* Which plan. */

/* Prepares everything for a plan, short of touching device memory. */
static int stencil_try_plan(stencil_session *session, const stencil_plan *plan)
{
    if (!stencil_check_boxes(session->call, plan, &session->failure))
        return 0;
    session->plan = plan;
    session->built = NULL;
    if (!stencil_place_layouts(session))
        return 0;
    session->built = stencil_find_built(session->device, session->nest, plan, stencil_needs_long_positions(session),
                                        &session->options);
    if (!session->built)
        return stencil_no_memory(&session->failure);
    if (!stencil_prepare_kernels(session))
        return 0;
    memset(session->slots, 0,
           (size_t)stencil_count_slots(session->call, session->call->field_count) * sizeof *session->slots);
    stencil_find_others(session);
    return stencil_check_memory(session);
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

static const stencil_plan *stencil_plan_of_name(const stencil_nest *nest, const char *name)
{
    for (int i = 0; i < nest->plan_count; i++)
        if (strcmp(nest->plans[i].name, name) == 0)
            return &nest->plans[i];
    return NULL;
}

/* The plan that STENCIL_PLAN names; or the first for the device, and of those for the same devices the one whose sizes
   are nearest; or the first. Null: none has that name. */
static const stencil_plan *stencil_preferred_plan(const stencil_session *session)
{
    const stencil_nest *nest = session->nest;
    const stencil_plan *best = NULL;
    double distance = stencil_farthest;
    if (session->options.plan)
        return stencil_plan_of_name(nest, session->options.plan);
    for (int i = 0; i < nest->plan_count; i++) {
        const stencil_plan *plan = &nest->plans[i];
        double other = stencil_size_distance(plan, session->call);
        if (!stencil_is_for_device(plan, session->device))
            continue;
        if (!best || (stencil_is_for_same(plan, best) && other < distance)) {
            best = plan;
            distance = other;
        }
    }
    return best || nest->plan_count == 0 ? best : &nest->plans[0];
}

/* Whether another plan may do better where this one failed. Kernels that do not compile are an error to be told. */
static int stencil_may_try_another(const stencil_session *session)
{
    return !session->options.plan && session->built && session->built->is_good;
}

/* Whether another plan for the device may do better from the start, as the device has no local memory for this one's tiles. */
static int stencil_is_too_large(const stencil_session *session, const stencil_plan *plan)
{
    return !session->options.plan && plan->local_bytes > session->device->local_bytes;
}

/* Tries the plans other than `failed` that are for the device, or those for all devices of the other kind. */
static int stencil_try_others(stencil_session *session, const stencil_plan *failed, int is_for_device)
{
    for (int i = 0; i < session->nest->plan_count; i++) {
        const stencil_plan *plan = &session->nest->plans[i];
        int fits = stencil_is_for_device(plan, session->device);
        if (plan != failed && (is_for_device ? fits : !fits && !plan->device) && stencil_try_plan(session, plan))
            return 1;
    }
    return 0;
}

/* Chooses a plan. One that does not fit the device makes way for another, unless the user has named it. */
static int stencil_choose_plan(stencil_session *session)
{
    const stencil_plan *preferred = stencil_preferred_plan(session);
    stencil_failure first;
    if (!preferred)
        return stencil_fail(&session->failure, "no plan has the name STENCIL_PLAN=%.100s",
                            session->options.plan ? session->options.plan : "");
    if (session->nest->kernels_for && !session->options.plan && !stencil_is_for_device(preferred, session->device))
        return stencil_fail(&session->failure, "the program was rewritten with --kernels-for %s, and device %s is another kind",
                            session->nest->kernels_for, session->device->name);
    if (stencil_is_too_large(session, preferred) && stencil_try_others(session, preferred, 1))
        return 1;
    if (stencil_try_plan(session, preferred))
        return 1;
    if (!stencil_may_try_another(session))
        return 0;
    first = session->failure;
    if (session->options.shows_build_log)
        fprintf(stderr, "%s: plan %s is not taken: %s\n", session->nest->where, preferred->name, first.reason);
    if (stencil_try_others(session, preferred, 1) || stencil_try_others(session, preferred, 0))
        return 1;
    session->failure = first;
    return 0;
}
