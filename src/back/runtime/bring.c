/* What a recording brings to the host: results, parts of them, and what its points give. */

/* Whether the values in a room are wanted: where each leg of a step tells what it folds, those of the leg that was asked for last. */
static int stencil_is_wanted_room(const stencil_recording *recording, const stencil_room *room)
{
    return room && (!recording->telling_legs || room->leg == recording->told_legs);
}

/* The results that go to the user's arrays, or those that the host has to fold; null without memory. */
static stencil_result *stencil_choose_results(const stencil_recording *recording, const stencil_call *call, int is_folded,
                                              int *count)
{
    stencil_result *chosen = malloc(((size_t)call->result_count + 1) * sizeof *chosen);
    *count = 0;
    for (int i = 0; chosen && i < call->result_count; i++) {
        const stencil_room *room = stencil_room_of(recording, call, &call->results[i]);
        if (is_folded ? stencil_is_wanted_room(recording, room) && !room->combined.is_known : !room)
            chosen[(*count)++] = call->results[i];
    }
    return chosen;
}

/* Whether a device's sum is not the one of the program's order, but bounds of that may be enough. */
static int stencil_is_bounded_sum(const stencil_room *room)
{
    return room->is_bounded && room->fold == STENCIL_SUM;
}

/* Combines on the device what it can. 0 if it has failed. */
static int stencil_combine_values(stencil_recording *recording, stencil_session *session)
{
    const stencil_call *call = session->call;
    for (int i = 0; i < call->result_count; i++) {
        const stencil_result *result = &call->results[i];
        const stencil_array *array = &call->arrays[result->array];
        stencil_room *room = stencil_room_of(recording, call, result);
        if (!stencil_is_wanted_room(recording, room))
            continue;
        room->has_points = !stencil_is_empty(array->rank, &result->box);
        room->combined.is_known = !room->has_points;
        if (room->has_points && !recording->launches_nothing && !(stencil_is_bounded_sum(room) && recording->needs_order) &&
            stencil_is_worth_combining(session, result, room->fold) &&
            !stencil_combine_result(session, result, room))
            return 0;
    }
    return 1;
}

/* The check of kernels, with what the session had at first of the arrays. */
static int stencil_check_recorded(const stencil_recording *recording, stencil_work *work)
{
    stencil_call all = stencil_with_later_steps(recording, work->call);
    int is_good;
    work->session.call = &all;
    is_good = stencil_check_poison(&work->session);
    work->session.call = work->call;
    return is_good;
}

/* Brings parts to the host's arrays; what they held is kept aside if that is wanted. 2 if there is no memory for that. */
static int stencil_bring(stencil_recording *recording, stencil_work *work, const stencil_result *parts, int count,
                         int keeps, stencil_turn *turn)
{
    stencil_session *session = &work->session;
    int is_kept;
    stencil_enter(session);
    if (!stencil_check_recorded(recording, work) || !stencil_fetch(session, parts, count))
        return stencil_lose_device(recording, work, turn);
    is_kept = !keeps || stencil_keep_aside(recording, work->call, parts, count);
    if (is_kept && !stencil_deliver(session))
        stencil_end_halfway(work->nest, &session->failure);
    stencil_unmap_results(session);
    session->results = NULL;
    stencil_exit(session);
    return is_kept ? 1 : 2;
}

/* Brings what is wanted of the results. 2 if all must be brought. */
static int stencil_bring_part(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    int count, answer = 2;
    stencil_result *parts = stencil_wanted_parts(recording, work->call, &count);
    if (parts && stencil_is_worth_keeping(recording, work->call, parts, count))
        answer = stencil_bring(recording, work, parts, count, 1, turn);
    free(parts);
    return answer;
}

/* Computes parts as they will be after the steps of the call. 2 if the device must take these first. */
static int stencil_take_preview(stencil_recording *recording, stencil_work *work, stencil_preview *preview,
                                const stencil_result *parts, int count, stencil_turn *turn)
{
    stencil_session *session = &work->session;
    int has_begun;
    stencil_enter(session);
    if (!stencil_check_integers(work->call, &session->failure) || !stencil_fits_session(work->call, recording) ||
        !stencil_bring_given(recording, session, work->call->steps))
        return stencil_lose_device(recording, work, turn);
    has_begun = stencil_begin_preview(preview, session, parts, count, work->call->steps - recording->taken);
    return stencil_leave_with(recording, work, session->state == STENCIL_OPEN, has_begun ? 1 : 2, turn);
}

/* Ends it. `answer` is what it has come to. */
static int stencil_leave_preview(stencil_recording *recording, stencil_work *work, const stencil_preview *preview, int answer,
                                 stencil_turn *turn)
{
    stencil_enter(&work->session);
    return stencil_leave_with(recording, work, stencil_end_preview(preview), answer, turn);
}

/* Brings what is wanted of the results as it will be after the steps of the call. 2 if the device must take these first. */
static int stencil_bring_preview(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    stencil_preview preview;
    int count, answer = 2;
    stencil_result *parts = stencil_wanted_parts(recording, work->call, &count);
    memset(&preview, 0, sizeof preview);
    if (parts && stencil_is_worth_keeping(recording, work->call, parts, count))
        answer = stencil_take_preview(recording, work, &preview, parts, count, turn);
    if (answer == 1) {
        answer = stencil_bring(recording, work, parts, count, 1, turn);
        answer = answer ? stencil_leave_preview(recording, work, &preview, answer, turn) : 0;
    }
    free(preview.slots);
    free(parts);
    return answer;
}

/* Brings all results to the user's arrays, or what the host has to fold to the driver's own. */
static int stencil_bring_results(stencil_recording *recording, stencil_work *work, int is_folded, stencil_turn *turn)
{
    int count, answer;
    stencil_result *results = stencil_choose_results(recording, work->call, is_folded, &count);
    if (!results) {
        stencil_enter(&work->session);
        stencil_no_memory(&work->session.failure);
        return stencil_lose_device(recording, work, turn);
    }
    answer = stencil_bring(recording, work, results, count, 0, turn);
    free(results);
    return answer;
}

/* Fetches all results that later ones in the chain have not covered. 0 if the device has failed. */
static int stencil_fetch_uncovered(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    stencil_session *session = &work->session;
    stencil_wanted *wanted = recording->chain->wanted;
    int count, is_good, left = 0;
    stencil_result *results = stencil_choose_results(recording, work->call, 0, &count);
    stencil_enter(session);
    session->fetched = results;
    for (int i = 0; results && i < count; i++)
        if (!stencil_is_covered(wanted, &work->call->arrays[results[i].array], &results[i]))
            results[left++] = results[i];
    stencil_cover_results(work->call, wanted);
    if (!results)
        stencil_no_memory(&session->failure);
    is_good = results && stencil_check_recorded(recording, work) && stencil_fetch(session, results, left);
    return stencil_leave_with(recording, work, is_good, 1, turn);
}

/* Brings what was fetched to the user's arrays. */
static int stencil_put_fetched(stencil_work *work)
{
    stencil_session *session = &work->session;
    stencil_enter(session);
    if (!stencil_deliver(session))
        stencil_end_halfway(work->nest, &session->failure);
    stencil_unmap_results(session);
    free(session->fetched);
    session->results = session->fetched = NULL;
    stencil_exit(session);
    return 1;
}

/* Combines what the points of the last step give on the device, and brings the rest of it. */
static int stencil_gather(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    int is_good;
    stencil_enter(&work->session);
    is_good = work->session.state != STENCIL_OPEN || stencil_combine_values(recording, &work->session);
    if (!stencil_leave_with(recording, work, is_good, 1, turn))
        return 0;
    return stencil_bring_results(recording, work, 1, turn);
}

/* Brings what the points of the leg give that was asked for last, or those of the first one where no other folds: the device takes the
   step so far. 2 if it cannot. */
static int stencil_foretell_step(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    stencil_session *session = &work->session;
    int legs = recording->telling_legs ? recording->legs : 1, answer;
    stencil_enter(session);
    if (!stencil_check_integers(work->call, &session->failure) || !stencil_fits_session(work->call, recording) ||
        !stencil_bring_given(recording, session, work->call->steps))
        return stencil_lose_device(recording, work, turn);
    answer = stencil_take_legs_of(session, legs, legs < recording->leg_count);
    answer = stencil_leave_with(recording, work, answer > 0, answer, turn);
    return answer == 1 ? stencil_gather(recording, work, turn) : answer;
}
