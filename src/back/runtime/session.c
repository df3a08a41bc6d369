/* A session: a nest's data stays on the device while its steps are taken a few at a time, and parts of it are read and written
   in between. Whoever calls holds the lock of calls from `stencil_enter` to `stencil_exit`. README.md has the states. */

/* Lets no time that has passed since it was last asked go without a name. */
static void stencil_spend(stencil_session *session, stencil_part part)
{
    double now = stencil_now();
    session->seconds[part] += now - session->since;
    session->since = now;
}

/* Whether the session's device can be asked for anything: it is gone at the end of the program, and in a forked child. */
static int stencil_is_reachable(const stencil_session *session)
{
    return session->device && stencil_peek(&session->device->is_open) && session->shared->process == stencil_process();
}

/* Before anything is asked of a session. */
static void stencil_enter(stencil_session *session)
{
    session->since = stencil_now();
    stencil_lock();
    stencil_spend(session, STENCIL_WAITING);
    if (session->state != STENCIL_OPEN || stencil_is_reachable(session))
        return;
    session->state = STENCIL_FAILED;
    stencil_fail(&session->failure, "the device is gone");
}

/* Before the host's own code goes on, which may free its arrays. */
static void stencil_exit(stencil_session *session)
{
    if (session->state != STENCIL_CLOSED)
        stencil_let_go(session);
    stencil_unlock();
}

/* What is left of a session after it was asked for something. */
static int stencil_settle(stencil_session *session, int is_good)
{
    session->state = is_good ? STENCIL_OPEN : STENCIL_FAILED;
    return is_good;
}

static int stencil_allocate_tables(stencil_session *session)
{
    const stencil_call *call = session->call;
    session->placements = calloc((size_t)call->layout_count, sizeof *session->placements);
    session->slots = calloc((size_t)stencil_count_slots(call, call->field_count) + 1, sizeof *session->slots);
    session->is_pinned = calloc((size_t)call->array_count + 1, sizeof *session->is_pinned);
    return (session->placements && session->slots && session->is_pinned) || stencil_no_memory(&session->failure);
}

/* Room for the mappings of what is to be read. */
static int stencil_allocate_mappings(stencil_session *session, int count)
{
    free(session->mapped);
    free(session->mapped_buffers);
    session->mapped = calloc((size_t)count + 1, sizeof *session->mapped);
    session->mapped_buffers = calloc((size_t)count + 1, sizeof *session->mapped_buffers);
    return (session->mapped && session->mapped_buffers) || stencil_no_memory(&session->failure);
}

/* Seconds that compiling has taken so far. */
static double stencil_compiled_seconds(const stencil_device *device)
{
    double sum = 0;
    for (const stencil_built *built = device->built; built; built = built->next)
        sum += built->seconds;
    return sum;
}

/* Lets `prepare` make kernels ready. */
static int stencil_compile(stencil_session *session, int (*prepare)(stencil_session *session))
{
    double before = stencil_compiled_seconds(session->device), seconds;
    int is_ready = prepare(session);
    seconds = stencil_compiled_seconds(session->device) - before;
    session->seconds[STENCIL_COMPILING] += seconds;
    session->seconds[STENCIL_CHECKING] -= seconds;
    return is_ready;
}

/* Opens the device, unless it is. */
static int stencil_find_device(stencil_session *session)
{
    int was_open = stencil_current_device(session->shared) != NULL;
    stencil_spend(session, STENCIL_CHECKING);
    session->device = stencil_take_device(session->shared, &session->failure);
    if (session->device && session->options.is_verbose)
        stencil_announce_device(session->device);
    stencil_spend(session, was_open ? STENCIL_CHECKING : STENCIL_OPENING);
    return session->device != NULL;
}

/* Whether device and kernels may run the call; nothing has been done yet. */
static int stencil_prepare(stencil_session *session)
{
    const stencil_call *call = session->call;
    if (session->options.odd_verify)
        return stencil_fail(&session->failure, "STENCIL_VERIFY=%s is neither 0, 1 nor a difference below 1 that may pass",
                            session->options.odd_verify);
    if (!stencil_check_integers(call, &session->failure) || !stencil_find_device(session) ||
        !stencil_check_floating_point(session->nest, session->device, &session->failure) ||
        !stencil_check_arrays(call, &session->failure) || !stencil_check_rows(call, &session->failure) ||
        !stencil_expand_histories(session) || !stencil_check_results(session->call, &session->failure) ||
        !stencil_allocate_tables(session))
        return 0;
    session->compute_units = stencil_compute_units(session->device);
    session->is_apart = stencil_has_own_memory(session->device);
    return stencil_compile(session, stencil_choose_plan);
}

/* Whether there is memory for it beside the other sessions of its chain. */
static int stencil_fits_beside(stencil_session *session)
{
    long long bytes = session->bytes;
    for (int i = 0; session->chain && i < session->chain->past_count; i++)
        bytes += session->chain->past[i].work ? session->chain->past[i].work->session.bytes : 0;
    session->is_crowded = session->chain && (unsigned long long)bytes > session->device->global_bytes;
    return !session->is_crowded || stencil_fail(&session->failure, "other nests have left too much on the device");
}

/* Opens a session whose arrays have the call's contents, and prepares the call's steps. The session is all zero, but for what
   `stencil_enter` has changed. */
static int stencil_open_session(stencil_session *session, stencil_shared *shared, const stencil_nest *nest,
                                const stencil_call *call, const stencil_options *options)
{
    int is_good;
    session->shared = shared;
    session->nest = nest;
    session->call = call;
    session->options = *options;
    session->asked = call->steps;
    is_good = session->is_scheduled = stencil_prepare(session);
    stencil_spend(session, STENCIL_CHECKING);
    is_good = is_good && stencil_fits_beside(session) && stencil_create_fields(session);
    stencil_spend(session, STENCIL_UPLOADING);
    return stencil_settle(session, is_good);
}

/* Prepares so many steps, unless that is done. */
static int stencil_prepare_steps(stencil_session *session, long long steps)
{
    int is_ready = session->is_scheduled && session->asked == steps;
    session->is_scheduled = 0;
    if (is_ready)
        return 1;
    session->asked = steps;
    if (!stencil_compile(session, stencil_prepare_kernels))
        return 0;
    stencil_find_others(session);
    return stencil_check_memory(session) && stencil_create_others(session);
}

/* Takes so many steps more, which may be none. After a failure nobody knows what is on the device. */
static int stencil_take_steps(stencil_session *session, long long steps)
{
    int is_good;
    if (session->state != STENCIL_OPEN || steps <= 0)
        return session->state == STENCIL_OPEN;
    stencil_unmap_results(session);
    is_good = stencil_prepare_steps(session, steps);
    stencil_spend(session, STENCIL_CHECKING);
    is_good = is_good && stencil_launch_all(session);
    stencil_spend(session, STENCIL_LAUNCHING);
    session->step += steps;
    return stencil_settle(session, is_good);
}

/* Takes the last launch back if it has left no results: what it has read is still there. Its steps; 0 for another launch. */
static long long stencil_undo(stencil_session *session)
{
    const stencil_kernel *kernel = session->last_open;
    if (!kernel)
        return 0;
    session->step -= kernel->levels;
    stencil_swap_buffers(session, kernel, session->step);
    session->lacking = session->lacking_before;
    session->last_open = NULL;
    return kernel->levels;
}

/* Takes so many steps more, behind which all results are complete. Where they are so few that what is lacking stays so, the last
   launch is made once more, as one of them. */
static int stencil_advance(stencil_session *session, long long steps)
{
    if (session->state == STENCIL_OPEN && steps < session->lacking)
        steps += stencil_undo(session);
    if (session->state == STENCIL_OPEN && steps < session->lacking)
        return stencil_settle(session, stencil_fail(&session->failure, "results of earlier steps are not complete"));
    return stencil_take_steps(session, steps);
}

/* Takes so many steps more, behind which results need not be complete, but can be made so by `stencil_advance`. */
static int stencil_advance_openly(stencil_session *session, long long steps)
{
    int is_good;
    if (steps > 0 && steps < session->lacking)
        return stencil_advance(session, steps);
    session->stays_open = 1;
    is_good = stencil_take_steps(session, steps);
    session->stays_open = 0;
    return is_good;
}

/* Begins to read: all that may fail while the host's memory is as it was. The table must stay. */
static int stencil_fetch(stencil_session *session, const stencil_result *results, int count)
{
    int is_good;
    if (session->state != STENCIL_OPEN)
        return 0;
    stencil_unmap_results(session);
    is_good = stencil_allocate_mappings(session, count);
    session->results = results;
    session->result_count = is_good ? count : 0;
    is_good = is_good && stencil_prepare_results(session);
    stencil_spend(session, STENCIL_DOWNLOADING);
    return stencil_settle(session, is_good);
}

/* Brings what was fetched to the user's arrays. After a failure they are neither what they were nor what they should be. */
static int stencil_deliver(stencil_session *session)
{
    int is_complete;
    if (session->state != STENCIL_OPEN)
        return 0;
    is_complete = stencil_commit(session);
    stencil_spend(session, STENCIL_DOWNLOADING);
    return stencil_settle(session, is_complete);
}

/* Brings parts of the user's arrays to their slots, in place of what is there. A cell that no kernel writes is in all slots
   whose first contents are the array's, and must be written to each. */
static int stencil_write(stencil_session *session, const stencil_result *parts, int count)
{
    int is_good = session->state == STENCIL_OPEN;
    if (!is_good)
        return 0;
    stencil_unmap_results(session);
    for (int i = 0; is_good && i < count; i++)
        is_good = stencil_replace_part(session, &parts[i]);
    stencil_spend(session, STENCIL_UPLOADING);
    return stencil_settle(session, is_good);
}

/* Gives everything back but the account of it; once more does nothing. */
static void stencil_close_session(stencil_session *session)
{
    if (session->state == STENCIL_CLOSED)
        return;
    if (stencil_is_reachable(session)) {
        stencil_unmap_results(session);
        stencil_release_memory(session);
    }
    stencil_release_expansion(session->expansion);
    free(session->held);
    free(session->placements);
    free(session->slots);
    free(session->is_pinned);
    free(session->pins);
    free(session->staging);
    free(session->phases);
    free(session->mapped);
    free(session->mapped_buffers);
    free(session->fetched);
    session->state = STENCIL_CLOSED;
    stencil_spend(session, STENCIL_RELEASING);
}
