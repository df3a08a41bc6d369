/* A session for a recording: opening it, and what happens where the device fails. */

/* Gives the device back. */
static void stencil_leave_device(stencil_recording *recording, stencil_work *work)
{
    stencil_close_session(&work->session);
    stencil_exit(&work->session);
    free(work);
    free(recording->layouts);
    free(recording->arrays);
    free(recording->context);
    recording->layouts = NULL;
    recording->arrays = NULL;
    recording->context = NULL;
    recording->work = NULL;
}

/* Remembers what is on the device. */
static int stencil_keep_boxes(stencil_recording *recording, const stencil_call *call, stencil_failure *failure)
{
    recording->layouts = stencil_duplicate(call->layouts, (size_t)call->layout_count * sizeof *call->layouts);
    recording->arrays = stencil_duplicate(call->arrays, (size_t)call->array_count * sizeof *call->arrays);
    recording->context = stencil_duplicate(call->context, call->context_size);
    for (int i = 0; recording->arrays && i < call->array_count; i++)
        recording->arrays[i].context = recording->context;
    return (recording->layouts && recording->arrays && recording->context) || stencil_no_memory(failure);
}

/* The call, with all that its steps and later ones use of the arrays. */
static stencil_call stencil_with_later_steps(const stencil_recording *recording, const stencil_call *call)
{
    stencil_call all = *call;
    all.arrays = recording->arrays;
    all.layouts = recording->layouts;
    return all;
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
    int ends = work->nest->no_fallback || work->options.is_strict;
    work->failure = work->session.failure;
    stencil_close_session(&work->session);
    if (ends && recording->chain)
        stencil_close_others(recording, &work->session);
    stencil_note_failure(work, turn);
    stencil_leave_device(recording, work);
    return 0;
}

/* Leaves a session that was asked for something with an answer; with 0 if the device has failed. */
static int stencil_leave_with(stencil_recording *recording, stencil_work *work, int is_good, int answer, stencil_turn *turn)
{
    if (!is_good)
        return stencil_lose_device(recording, work, turn);
    stencil_exit(&work->session);
    return answer;
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

/* Whether a step within which the host does something is to be compared: the device begins with what there is before it. */
static int stencil_is_to_be_verified(stencil_work *work)
{
    if (work->options.verifies && work->nest->no_fallback) {
        stencil_say_not_verified(work->nest, "the program has no original loops");
        work->options.verifies = 0;
    }
    return stencil_asks_to_verify(work);
}

/* Whether a step is left to the loops since the host had to take most of those before. */
static int stencil_rests(stencil_recording *recording, const stencil_work *work)
{
    int rests = recording->rest > 0 && !work->options.names_device && !work->nest->no_fallback;
    recording->rest -= rests;
    return rests;
}

/* Those before a recording in its chain; null if there are none. */
static stencil_chain *stencil_before(const stencil_recording *recording)
{
    return recording->chain && recording->chain->past_count > 0 ? recording->chain : NULL;
}

/* Opens the session itself. The first steps that a recording takes leave no results, so their kernels are looked for. */
static int stencil_open_its_session(stencil_recording *recording, stencil_work *work, const stencil_call *call)
{
    stencil_session *session = &work->session;
    int is_open;
    session->takes_singly = recording->telling_legs != 0 && !recording->goes_through;
    session->stays_open = !recording->is_whole && !recording->at_exit;
    is_open = stencil_open_session(session, work->shared, work->nest, call, &work->options);
    session->is_scheduled = session->is_scheduled && !session->stays_open;
    session->stays_open = 0;
    return is_open && stencil_keep_boxes(recording, call, &session->failure);
}

/* Opens a session for a call of as many steps as are expected. 2 if the step must be run by itself, 3 if there are too many, 4 if
   those before must bring what they have first, 5 if the step is to be compared, and is one. */
static int stencil_open_recording(stencil_recording *recording, const stencil_nest *nest, const stencil_call *call,
                                  stencil_turn *turn)
{
    stencil_chain *chain = stencil_before(recording);
    stencil_failure ahead;
    stencil_work *work;
    memset(&ahead, 0, sizeof ahead);
    if (call->steps > 1 && !recording->is_whole && !stencil_check_integers(call, &ahead))
        return 3;
    work = calloc(1, sizeof *work);
    if (!work || !stencil_begin_work(work, nest, call) || (!recording->leg_count && stencil_asks_to_verify(work))) {
        free(work);
        return 2;
    }
    if (chain && !stencil_may_borrow(chain, call)) {
        free(work);
        return 4;
    }
    work->session.keeps_pins = 1;
    work->session.chain = chain;
    recording->is_verified = stencil_is_to_be_verified(work);
    if (recording->is_verified && call->steps > 1) {
        free(work);
        return 5;
    }
    if (!recording->is_verified && stencil_rests(recording, work)) {
        free(work);
        stencil_watch_loops(turn);
        return 0;
    }
    if (!chain && !recording->is_verified && !work->failure.reason[0] && stencil_leaves_to_loops(recording, work, turn)) {
        free(work);
        stencil_watch_loops(turn);
        turn->is_timed = turn->is_timed && !recording->leg_count;
        return 0;
    }
    work->started = stencil_now();
    stencil_enter(&work->session);
    recording->work = work;
    if (stencil_open_its_session(recording, work, call)) {
        turn->has_started = 1;
        work->session.chain = NULL;
        stencil_exit(&work->session);
        if (recording->is_verified)
            stencil_watch_loops(turn);
        return !recording->is_verified;
    }
    recording->is_verified = 0;
    if (work->session.is_crowded) {
        stencil_leave_device(recording, work);
        return 4;
    }
    stencil_watch_loops(turn);
    return stencil_lose_device(recording, work, turn);
}

/* Whether what a call uses is on the device. */
static int stencil_fits_session(const stencil_call *call, stencil_recording *recording)
{
    for (int i = 0; i < call->layout_count; i++) {
        const stencil_layout *layout = &call->layouts[i];
        for (int d = 0; !stencil_is_empty(layout->rank, &layout->box) && d < layout->rank; d++)
            if (layout->box.lo[d] < recording->layouts[i].box.lo[d] || layout->box.hi[d] > recording->layouts[i].box.hi[d])
                return stencil_fail(&recording->work->session.failure, "later steps use elements that the first ones do not");
    }
    return 1;
}

static int stencil_close_recording(stencil_recording *recording, stencil_work *work)
{
    stencil_enter(&work->session);
    if (work->options.is_verbose)
        stencil_account_device(work);
    if (work->session.state == STENCIL_OPEN)
        stencil_note_started(work);
    stencil_leave_device(recording, work);
    return 1;
}
