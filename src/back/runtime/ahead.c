/* Running ahead. Where the host looks at what the points of a step come to before it asks for the next one, one launch takes
   several steps, as if the host had asked for them, and tells what each of them comes to; the host is told step by step. If it
   asks for anything else in between, the launch is taken back: it has written nothing but the other buffers of slots. */

/* The kernel of a plan that folds its steps; -1: there is none. */
static int stencil_folding_kernel(const stencil_plan *plan)
{
    for (int k = 0; k < plan->kernel_count; k++)
        if (plan->kernels[k].folds)
            return k;
    return -1;
}

/* Steps that the device can run ahead at a time; 0: none. */
static int stencil_levels_ahead(const stencil_recording *recording)
{
    const stencil_plan *plan = recording->work->session.plan;
    int kernel = stencil_folding_kernel(plan);
    return kernel < 0 ? 0 : plan->kernels[kernel].levels;
}

/* Whether that kernel is ready. One that is not is taken from the cache, or compiled: beside the call if that may be. */
static int stencil_has_folding_kernel(stencil_session *session, int kernel)
{
    stencil_built *built = session->built;
    stencil_settle_beside(session->shared);
    if (built->usability[kernel] != STENCIL_UNKNOWN)
        return built->usability[kernel] == STENCIL_USABLE;
    built->usability[kernel] = STENCIL_WANTED;
    if (!stencil_may_begin_low(session))
        stencil_build_wanted(built, session->device, &session->options);
    else if (stencil_take_wanted(built, session->device, &session->options))
        stencil_judge_wanted(built, session->device, &session->options);
    else
        stencil_start_beside(built, session->shared, session->device, &session->options);
    return stencil_is_built(session) && built->usability[kernel] == STENCIL_USABLE;
}

/* Bytes of what a work-item holds of an array's values. */
static size_t stencil_held_size(const stencil_array *array, stencil_fold fold)
{
    return stencil_is_widened(array, fold) ? sizeof(cl_long) : array->element_size;
}

/* What work-items hold of the values of a room, all those of one level behind those of the level before. */
static stencil_values stencil_held_values(const stencil_session *session, int room, const stencil_kernel *kernel, size_t items)
{
    stencil_values values = {session->held[room], 1, (long long)items, {1, 1, 1}, {0, 0, 0}, 0, kernel->levels,
                             (long long)items};
    return values;
}

/* Work-items of a launch; 0 if there are too many. */
static size_t stencil_work_items(const stencil_session *session, const stencil_kernel *kernel)
{
    size_t global[3] = {1, 1, 1};
    return stencil_global_size(session, kernel, global) ? global[0] * global[1] * global[2] : 0;
}

/* Room on the device for what work-items hold. */
static int stencil_create_held(stencil_session *session, int room, size_t bytes)
{
    cl_int status = CL_SUCCESS;
    if (!session->held[room])
        session->held[room] = clCreateBuffer(session->device->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    return stencil_ok(&session->failure, status, "clCreateBuffer");
}

/* Whether the device may fold the values of a result. */
static int stencil_may_fold(const stencil_session *session, const stencil_result *result, const stencil_room *room)
{
    const stencil_array *array = &session->call->arrays[result->array];
    return !stencil_is_empty(array->rank, &result->box) && stencil_is_worth_combining(session, result, room->fold);
}

/* Prepares a room for what the steps ahead come to. */
static int stencil_prepare_room(stencil_session *session, const stencil_result *result, const stencil_kernel *kernel,
                                stencil_room *room)
{
    const stencil_array *array = &session->call->arrays[result->array];
    size_t bytes = (size_t)kernel->levels * stencil_work_items(session, kernel) * stencil_held_size(array, room->fold);
    if (!room->ahead)
        room->ahead = calloc((size_t)kernel->levels, sizeof *room->ahead);
    room->has_points = 1;
    return room->ahead ? stencil_create_held(session, array->room - 1, bytes) : stencil_no_memory(&session->failure);
}

/* Wants the other buffers of the slots that a launch swaps. 0 if there is no memory for them: then nothing has changed. */
static int stencil_want_swaps(stencil_session *session, const stencil_kernel *kernel)
{
    int had[STENCIL_MAX_SWAPS], fits;
    if (kernel->swap_count > STENCIL_MAX_SWAPS || stencil_work_items(session, kernel) == 0)
        return 0;
    for (int i = 0; i < kernel->swap_count; i++)
        had[i] = stencil_slot_at(session, kernel->swaps[i].field, session->step, kernel->swaps[i].slot)->needs_other;
    stencil_mark_others(session, kernel, session->step);
    fits = stencil_check_memory(session);
    for (int i = 0; !fits && i < kernel->swap_count; i++)
        stencil_slot_at(session, kernel->swaps[i].field, session->step, kernel->swaps[i].slot)->needs_other = had[i];
    memset(&session->failure, 0, sizeof session->failure);
    return fits;
}

/* Whether the device may run ahead with a kernel. */
static int stencil_may_run_ahead(stencil_session *session, const stencil_recording *recording, int kernel)
{
    const stencil_call *call = session->call;
    for (int i = 0; i < call->result_count; i++) {
        const stencil_room *room = stencil_room_of(recording, call, &call->results[i]);
        if (room && !stencil_may_fold(session, &call->results[i], room))
            return 0;
    }
    return stencil_want_swaps(session, &session->plan->kernels[kernel]);
}

/* Prepares all that a launch ahead needs. */
static int stencil_prepare_ahead(stencil_session *session, stencil_recording *recording, int kernel)
{
    const stencil_call *call = session->call;
    const stencil_kernel *described = &session->plan->kernels[kernel];
    int is_good = 1;
    if (!session->held) {
        session->held = calloc((size_t)recording->room_count, sizeof *session->held);
        session->held_count = session->held ? recording->room_count : 0;
        is_good = session->held || stencil_no_memory(&session->failure);
    }
    for (int i = 0; is_good && i < call->result_count; i++) {
        stencil_room *room = stencil_room_of(recording, call, &call->results[i]);
        is_good = !room || stencil_prepare_room(session, &call->results[i], described, room);
    }
    return is_good && stencil_create_others(session);
}

/* Launches, and learns what each step comes to. After a failure nobody knows what is on the device. */
static int stencil_launch_ahead(stencil_session *session, stencil_recording *recording, int kernel)
{
    const stencil_call *call = session->call;
    const stencil_kernel *described = &session->plan->kernels[kernel];
    size_t items = stencil_work_items(session, described);
    stencil_launcher launcher;
    int is_good;
    launcher.session = session;
    launcher.event_count = 0;
    stencil_spend(session, STENCIL_CHECKING);
    is_good = stencil_launch(&launcher, kernel, session->step);
    session->step += described->levels;
    for (int i = 0; is_good && i < call->result_count; i++) {
        const stencil_array *array = &call->arrays[call->results[i].array];
        stencil_room *room = stencil_room_of(recording, call, &call->results[i]);
        stencil_values values;
        if (!room)
            continue;
        values = stencil_held_values(session, array->room - 1, described, items);
        is_good = stencil_combine(session, array, &values, room->fold,
                                  stencil_is_widened(array, room->fold) ? "long" : room->type, room->ahead);
        for (int level = 0; level < described->levels; level++)
            room->ahead[level].is_rough = room->is_bounded && room->fold == STENCIL_MAXIMUM;
    }
    is_good = stencil_harvest(&launcher) && is_good;
    stencil_spend(session, STENCIL_LAUNCHING);
    return stencil_settle(session, is_good);
}

/* Takes the last launch ahead back, and so many of its steps in the usual way; if there are none, the step that the host has
   asked for follows. */
static int stencil_take_back(stencil_session *session, long long steps)
{
    if (session->state != STENCIL_OPEN)
        return 0;
    stencil_undo(session);
    return steps == 0 || stencil_advance(session, steps);
}
