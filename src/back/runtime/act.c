/* What is done for a recording when the driver has made the tables of a call; record.c asks for it. */

/* Gives the device back. */
static void stencil_leave_device(stencil_recording *recording, stencil_work *work)
{
    stencil_close_session(&work->session);
    stencil_exit(&work->session);
    free(work);
    free(recording->boxes);
    recording->boxes = NULL;
    recording->work = NULL;
}

/* Remembers what is on the device. */
static int stencil_keep_boxes(stencil_recording *recording, const stencil_call *call, stencil_failure *failure)
{
    recording->boxes = malloc((size_t)(call->layout_count + 1) * sizeof *recording->boxes);
    for (int i = 0; recording->boxes && i < call->layout_count; i++)
        recording->boxes[i] = call->layouts[i].box;
    return recording->boxes || stencil_no_memory(failure);
}

/* The program ends: nobody asks for what else is on the device. */
static void stencil_close_others(stencil_recording *recording, stencil_session *session)
{
    stencil_chain *chain = recording->chain;
    stencil_exit(session);
    for (int i = 0; i < chain->past_count; i++)
        if (&chain->past[i] != recording)
            stencil_close_past(&chain->past[i]);
    if (chain->last && chain->last != recording)
        stencil_close_past(chain->last);
    stencil_enter(session);
}

/* A device that fails while steps are recorded loses nothing, as the host takes them. */
static int stencil_lose_device(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    int ends = work->region->no_fallback || work->options.is_strict;
    work->failure = work->session.failure;
    stencil_close_session(&work->session);
    if (ends && recording->chain)
        stencil_close_others(recording, &work->session);
    stencil_note_failure(work, turn);
    stencil_leave_device(recording, work);
    return 0;
}

/* Whether the loops take the step, or the nest, given how many are expected. */
static int stencil_leaves_to_loops(const stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    const stencil_call *call = work->call;
    stencil_call expected = *call;
    int stays;
    if (recording->is_whole) {
        work->foreseen = (double)recording->chain->expected;
        expected.steps *= recording->chain->expected;
    } else {
        expected.steps = recording->expected > 0 ? recording->expected : call->steps;
        work->foreseen = (double)expected.steps;
    }
    work->call = &expected;
    stays = stencil_stays_on_host(work, turn);
    work->call = call;
    return stays;
}

static int stencil_asks_to_verify(const stencil_work *work)
{
    return work->options.verifies || work->options.odd_verify;
}

/* Nothing is compared where the loops of a step are not all that stands in it. */
static void stencil_skip_verification(stencil_work *work)
{
    if (work->options.verifies)
        stencil_say_not_verified(work->region, "the host does something within its steps");
    work->options.verifies = 0;
}

/* Whether a step is left to the loops since the host had to take most of those before. */
static int stencil_rests(stencil_recording *recording, const stencil_work *work)
{
    int rests = recording->rest > 0 && !work->options.names_device && !work->region->no_fallback;
    recording->rest -= rests;
    return rests;
}

/* Those before a recording in its chain; null if there are none. */
static stencil_chain *stencil_before(const stencil_recording *recording)
{
    return recording->chain && recording->chain->past_count > 0 ? recording->chain : NULL;
}

/* Opens a session for a call of as many steps as are expected. 2 if the step must be run by itself, 3 if there are too many, 4 if
   those before must bring what they have first. */
static int stencil_open_recording(stencil_recording *recording, const stencil_region *region, const stencil_call *call,
                                  stencil_turn *turn)
{
    stencil_chain *chain = stencil_before(recording);
    stencil_failure ahead;
    stencil_work *work;
    memset(&ahead, 0, sizeof ahead);
    if (call->steps > 1 && !recording->is_whole && !stencil_check_integers(call, &ahead))
        return 3;
    work = calloc(1, sizeof *work);
    if (!work || !stencil_begin_work(work, region, call) || (!recording->leg_count && stencil_asks_to_verify(work))) {
        free(work);
        return 2;
    }
    if (chain && !stencil_may_borrow(chain, call)) {
        free(work);
        return 4;
    }
    work->session.keeps_pins = 1;
    work->session.chain = chain;
    stencil_skip_verification(work);
    if (stencil_rests(recording, work)) {
        free(work);
        turn->quick->stencil_waits = STENCIL_WATCHED;
        return 0;
    }
    if (!chain && !work->failure.reason[0] && stencil_leaves_to_loops(recording, work, turn)) {
        free(work);
        turn->quick->stencil_waits = STENCIL_WATCHED;
        turn->is_timed = turn->is_timed && !recording->leg_count;
        return 0;
    }
    work->started = stencil_now();
    stencil_enter(&work->session);
    recording->work = work;
    if (stencil_open_session(&work->session, work->shared, region, call, &work->options) &&
        stencil_keep_boxes(recording, call, &work->session.failure)) {
        turn->has_started = 1;
        work->session.chain = NULL;
        stencil_exit(&work->session);
        return 1;
    }
    if (work->session.is_crowded) {
        stencil_leave_device(recording, work);
        return 4;
    }
    turn->quick->stencil_waits = STENCIL_WATCHED;
    return stencil_lose_device(recording, work, turn);
}

/* Whether what a call uses is on the device. */
static int stencil_fits_session(const stencil_call *call, stencil_recording *recording)
{
    for (int i = 0; i < call->layout_count; i++) {
        const stencil_layout *layout = &call->layouts[i];
        for (int d = 0; !stencil_is_empty(layout->rank, &layout->box) && d < layout->rank; d++)
            if (layout->box.lo[d] < recording->boxes[i].lo[d] || layout->box.hi[d] > recording->boxes[i].hi[d])
                return stencil_fail(&recording->work->session.failure, "later steps use elements that the first ones do not");
    }
    return 1;
}

/* Takes the steps until those of the call. */
static int stencil_take_recorded(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    long long steps = work->call->steps - (recording->is_whole ? 0 : recording->taken);
    stencil_enter(&work->session);
    if (!stencil_check_integers(work->call, &work->session.failure) || !stencil_fits_session(work->call, recording) ||
        !(recording->request == STENCIL_TILES ? stencil_advance_openly(&work->session, steps)
                                              : stencil_advance(&work->session, steps)))
        return stencil_lose_device(recording, work, turn);
    stencil_exit(&work->session);
    return 1;
}

/* The results that go to the user's arrays, or those that the host has to fold; null without memory. */
static stencil_result *stencil_choose_results(const stencil_recording *recording, const stencil_call *call, int is_folded,
                                              int *count)
{
    stencil_result *chosen = malloc(((size_t)call->result_count + 1) * sizeof *chosen);
    *count = 0;
    for (int i = 0; chosen && i < call->result_count; i++) {
        const stencil_room *room = stencil_room_of(recording, call, &call->results[i]);
        if (is_folded ? room && !room->combined.is_known : !room)
            chosen[(*count)++] = call->results[i];
    }
    return chosen;
}

/* Combines on the device what it can. 0 if it has failed. */
static int stencil_combine_values(stencil_recording *recording, stencil_session *session)
{
    const stencil_call *call = session->call;
    for (int i = 0; i < call->result_count; i++) {
        const stencil_result *result = &call->results[i];
        const stencil_array *array = &call->arrays[result->array];
        stencil_room *room = stencil_room_of(recording, call, result);
        if (!room)
            continue;
        room->has_points = !stencil_is_empty(array->rank, &result->box);
        room->combined.is_known = !room->has_points;
        if (room->has_points && !(room->is_bounded && recording->needs_order) &&
            stencil_is_worth_combining(session, result, room->fold) &&
            !stencil_combine_result(session, result, room))
            return 0;
    }
    return 1;
}

/* Brings parts to the host's arrays; what they held is kept aside if that is wanted. 2 if there is no memory for that. */
static int stencil_bring(stencil_recording *recording, stencil_work *work, const stencil_result *parts, int count,
                         int keeps, stencil_turn *turn)
{
    stencil_session *session = &work->session;
    int is_kept;
    stencil_enter(session);
    if (!stencil_check_poison(session) || !stencil_fetch(session, parts, count))
        return stencil_lose_device(recording, work, turn);
    is_kept = !keeps || stencil_keep_aside(recording, work->call, parts, count);
    if (is_kept && !stencil_deliver(session))
        stencil_end_halfway(work->region, &session->failure);
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
    if (!stencil_check_integers(work->call, &session->failure) || !stencil_fits_session(work->call, recording))
        return stencil_lose_device(recording, work, turn);
    has_begun = stencil_begin_preview(preview, session, parts, count, work->call->steps - recording->taken);
    if (session->state != STENCIL_OPEN)
        return stencil_lose_device(recording, work, turn);
    stencil_exit(session);
    return has_begun ? 1 : 2;
}

/* Ends it. `answer` is what it has come to. */
static int stencil_leave_preview(stencil_recording *recording, stencil_work *work, const stencil_preview *preview, int answer,
                                 stencil_turn *turn)
{
    stencil_enter(&work->session);
    if (!stencil_end_preview(preview))
        return stencil_lose_device(recording, work, turn);
    stencil_exit(&work->session);
    return answer;
}

/* Brings what is wanted of the results as it will be after the steps of the call. 2 if the device must take these first. */
static int stencil_bring_preview(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    stencil_preview preview;
    int count, answer = 2;
    stencil_result *parts = stencil_wanted_parts(recording, work->call, &count);
    preview.slots = NULL;
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
    int count, left = 0;
    stencil_result *results = stencil_choose_results(recording, work->call, 0, &count);
    stencil_enter(session);
    session->fetched = results;
    for (int i = 0; results && i < count; i++)
        if (!stencil_is_covered(wanted, &work->call->arrays[results[i].array], &results[i]))
            results[left++] = results[i];
    stencil_cover_results(work->call, wanted);
    if (!results)
        stencil_no_memory(&session->failure);
    if (!results || !stencil_check_poison(session) || !stencil_fetch(session, results, left))
        return stencil_lose_device(recording, work, turn);
    stencil_exit(session);
    return 1;
}

/* Brings what was fetched to the user's arrays. */
static int stencil_put_fetched(stencil_work *work)
{
    stencil_session *session = &work->session;
    stencil_enter(session);
    if (!stencil_deliver(session))
        stencil_end_halfway(work->region, &session->failure);
    stencil_unmap_results(session);
    free(session->fetched);
    session->results = session->fetched = NULL;
    stencil_exit(session);
    return 1;
}

/* Combines what the points of the last step give on the device, and brings the rest of it. */
static int stencil_gather(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    stencil_enter(&work->session);
    if (work->session.state == STENCIL_OPEN && !stencil_combine_values(recording, &work->session))
        return stencil_lose_device(recording, work, turn);
    stencil_exit(&work->session);
    return stencil_bring_results(recording, work, 1, turn);
}

/* Runs ahead of the host. 2 if that cannot be, or not yet. */
static int stencil_take_ahead(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    stencil_session *session = &work->session;
    int kernel = stencil_folding_kernel(session->plan);
    int may_run;
    stencil_failure ahead;
    memset(&ahead, 0, sizeof ahead);
    if (!stencil_check_integers(work->call, &ahead) || !stencil_fits_session(work->call, recording)) {
        memset(&session->failure, 0, sizeof session->failure);
        return 2;
    }
    stencil_enter(session);
    if (session->state != STENCIL_OPEN)
        return stencil_lose_device(recording, work, turn);
    if (session->lacking > 0 && recording->ahead > 0 && session->region->last_single_steps > 1) {
        stencil_exit(session);
        return 2;
    }
    if (session->lacking > 0 && recording->ahead == 0 && !stencil_advance(session, 0))
        return stencil_lose_device(recording, work, turn);
    stencil_unmap_results(session);
    may_run = stencil_has_folding_kernel(session, kernel) && stencil_may_run_ahead(session, recording, kernel);
    if (!session->built->is_good || (may_run && !(stencil_prepare_ahead(session, recording, kernel) &&
                                                  stencil_launch_ahead(session, recording, kernel))))
        return stencil_lose_device(recording, work, turn);
    stencil_exit(session);
    return may_run ? 1 : 2;
}

/* Takes back what the device is ahead of the host's steps. */
static int stencil_end_ahead(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    stencil_session *session = &work->session;
    stencil_enter(session);
    if (!stencil_take_back(session, recording->taken - recording->ahead_from))
        return stencil_lose_device(recording, work, turn);
    stencil_exit(session);
    return 1;
}

static int stencil_close_recording(stencil_recording *recording, stencil_work *work)
{
    stencil_enter(&work->session);
    if (work->options.is_verbose)
        stencil_account_device(work);
    stencil_leave_device(recording, work);
    return 1;
}

/* Whether the host asks for results, which must be complete. */
static int stencil_asks_for_results(stencil_request request)
{
    return request == STENCIL_DELIVER || request == STENCIL_PART || request == STENCIL_GATHER || request == STENCIL_FETCH;
}

/* Completes the results of the steps that were taken. */
static int stencil_complete(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    int is_complete;
    stencil_enter(&work->session);
    is_complete = work->session.state != STENCIL_OPEN || stencil_advance(&work->session, 0);
    if (!is_complete)
        return stencil_lose_device(recording, work, turn);
    stencil_exit(&work->session);
    return 1;
}

/* Does what a recording asks for, with the tables of a call that begins with the recording's first step. */
static STENCIL_UNUSED int stencil_act(const stencil_region *region, const stencil_call *call, stencil_turn *turn,
                                      stencil_recording *recording)
{
    stencil_work *work = recording->work;
    if (recording->request == STENCIL_RUN)
        return stencil_run(region, call, turn);
    if (recording->request == STENCIL_BEGIN) {
        int answer = stencil_open_recording(recording, region, call, turn);
        if (answer == 1 && recording->is_whole)
            stencil_leave_variables(call);
        return answer;
    }
    work->call = work->session.call = call;
    if (stencil_asks_for_results(recording->request) && work->session.lacking > 0 && !stencil_complete(recording, work, turn))
        return 0;
    if (recording->request == STENCIL_ADVANCE || recording->request == STENCIL_TILES)
        return stencil_take_recorded(recording, work, turn);
    if (recording->request == STENCIL_PREVIEW)
        return stencil_bring_preview(recording, work, turn);
    if (recording->request == STENCIL_AHEAD)
        return stencil_take_ahead(recording, work, turn);
    if (recording->request == STENCIL_LAND)
        return stencil_end_ahead(recording, work, turn);
    if (recording->request == STENCIL_MEET)
        return stencil_meets(recording, call);
    if (recording->request == STENCIL_PART)
        return stencil_bring_part(recording, work, turn);
    if (recording->request == STENCIL_DELIVER)
        return stencil_bring_results(recording, work, 0, turn);
    if (recording->request == STENCIL_GATHER)
        return stencil_gather(recording, work, turn);
    if (recording->request == STENCIL_FETCH)
        return stencil_fetch_uncovered(recording, work, turn);
    if (recording->request == STENCIL_PUT)
        return stencil_put_fetched(work);
    if (recording->request == STENCIL_LEND)
        return stencil_lend(recording, call);
    return stencil_close_recording(recording, work);
}
