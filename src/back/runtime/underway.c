/* A step of which the device has taken some legs: it goes on leg by leg, as far as the host needs what they fold. Until the last leg
   has been asked for the step can be taken back. What was in slots then counts only where the step reads it before it is written:
   all else will be written once more, by the host or by the device, before anybody looks. Such slots are copied to their other
   buffers, and swapped with these if the step is taken back. */

/* The leg of the sweep that a kernel computes, counted from 0; -1: the kernel takes whole steps. */
static int stencil_leg_of(const stencil_session *session, const stencil_kernel *kernel)
{
    return kernel->levels == 0 ? session->call->sweeps[kernel->sweep].leg : -1;
}

/* Whether sweeps are computed leg after leg, so that a step may stop between two of them. */
static int stencil_has_legs_in_order(const stencil_session *session)
{
    int last = 0;
    for (int k = 0; k < session->plan->kernel_count; k++) {
        int leg = stencil_leg_of(session, &session->plan->kernels[k]);
        if (leg >= 0 && leg < last)
            return 0;
        last = leg > last ? leg : last;
    }
    return 1;
}

/* Whether a sweep kernel of the next step reads a slot, and whether it writes it. */
static void stencil_find_use(const stencil_session *session, const stencil_kernel *kernel, const stencil_slot *slot, int *reads,
                             int *writes)
{
    *reads = *writes = 0;
    for (int i = 0; i < kernel->arg_count; i++) {
        const stencil_arg *arg = &kernel->args[i];
        int is_output = arg->kind == STENCIL_ARG_OUTPUT, is_in_place = arg->kind == STENCIL_ARG_IN_PLACE;
        if (!(is_output || is_in_place || arg->kind == STENCIL_ARG_INPUT) ||
            stencil_slot_at(session, arg->field, session->step, arg->slot) != slot)
            continue;
        *reads |= !is_output;
        *writes |= is_output || is_in_place;
    }
}

/* Whether the next step reads a slot before it has written all that it writes there. */
static int stencil_counts_before(const stencil_session *session, const stencil_slot *slot)
{
    int is_read = 0;
    for (int k = 0; k < session->plan->kernel_count; k++) {
        int reads, writes;
        if (session->plan->kernels[k].levels > 0)
            continue;
        stencil_find_use(session, &session->plan->kernels[k], slot, &reads, &writes);
        is_read |= reads;
        if (writes && is_read)
            return 1;
    }
    return 0;
}

/* Copies what a kernel will change in slots that count. */
static int stencil_keep_written(stencil_session *session, const stencil_kernel *kernel)
{
    for (int i = 0; i < kernel->arg_count; i++) {
        const stencil_arg *arg = &kernel->args[i];
        stencil_slot *slot;
        if (arg->kind != STENCIL_ARG_OUTPUT && arg->kind != STENCIL_ARG_IN_PLACE)
            continue;
        slot = stencil_slot_at(session, arg->field, session->step, arg->slot);
        if (slot->is_kept || !stencil_counts_before(session, slot))
            continue;
        slot->needs_other = slot->is_kept = 1;
        if (slot->other ? !stencil_copy_buffer(session, arg->field, slot->current, slot->other)
                        : !stencil_check_memory(session) || !stencil_create_other(session, arg->field, slot))
            return 0;
    }
    return 1;
}

/* Forgets, or takes back, what was kept. */
static void stencil_end_keeping(stencil_session *session, int is_back)
{
    for (int i = 0; i < stencil_count_slots(session->call, session->call->field_count); i++) {
        stencil_slot *slot = &session->slots[i];
        cl_mem kept = slot->other;
        if (slot->is_kept && is_back) {
            slot->other = slot->current;
            slot->current = kept;
        }
        slot->is_kept = 0;
    }
}

/* Launches the sweeps of the legs behind those that were taken, and before that one. What they change is kept if that is wanted. */
static int stencil_launch_legs(stencil_session *session, int legs, int keeps)
{
    stencil_launcher launcher;
    int is_good = 1;
    launcher.session = session;
    launcher.event_count = 0;
    for (int k = 0; is_good && k < session->plan->kernel_count; k++) {
        const stencil_kernel *kernel = &session->plan->kernels[k];
        const stencil_sweep *sweep = &session->call->sweeps[kernel->sweep];
        int is_wanted = kernel->levels == 0 && sweep->leg >= session->legs && sweep->leg < legs;
        if (is_wanted && !stencil_is_empty(sweep->rank, &sweep->domain))
            is_good = (!keeps || stencil_keep_written(session, kernel)) && stencil_launch(&launcher, k, session->step);
    }
    session->legs = legs;
    return stencil_harvest(&launcher) && is_good;
}

/* Takes the next step as far as so many legs, of which it has fewer. 2 if it must be taken as a whole; 0 if the device has failed. */
static int stencil_take_legs_of(stencil_session *session, int legs, int keeps)
{
    int is_good;
    if (session->state != STENCIL_OPEN)
        return 0;
    if (!stencil_has_legs_in_order(session) || (session->lacking > 0 && !stencil_advance(session, 0)))
        return session->state == STENCIL_OPEN ? 2 : 0;
    if (!stencil_settle(session, stencil_compile(session, stencil_build_sweeps)))
        return 0;
    if (!stencil_has_sweep_kernels(session->built, 1))
        return 2;
    stencil_unmap_results(session);
    session->last_open = NULL;
    is_good = stencil_launch_legs(session, legs, keeps);
    stencil_spend(session, STENCIL_LAUNCHING);
    return stencil_settle(session, is_good);
}

/* Takes the legs that are left of a step. */
static int stencil_end_underway(stencil_session *session, int leg_count)
{
    int is_good = session->state == STENCIL_OPEN;
    if (!is_good)
        return 0;
    stencil_unmap_results(session);
    is_good = stencil_launch_legs(session, leg_count, 0);
    stencil_end_keeping(session, 0);
    session->legs = 0;
    session->step++;
    stencil_spend(session, STENCIL_LAUNCHING);
    return stencil_settle(session, is_good);
}

/* Takes back what was taken of a step. */
static int stencil_leave_underway(stencil_session *session)
{
    if (session->state != STENCIL_OPEN)
        return 0;
    stencil_unmap_results(session);
    stencil_end_keeping(session, 1);
    session->legs = 0;
    return 1;
}
