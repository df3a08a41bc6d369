/* What is done for a recording when the driver has made the tables of a call; record.c asks for it. */

/* Takes the steps until those of the call. */
static int stencil_take_recorded(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    long long steps = work->call->steps - (recording->is_whole ? 0 : recording->taken);
    int is_good;
    stencil_enter(&work->session);
    is_good = stencil_check_integers(work->call, &work->session.failure) && stencil_fits_session(work->call, recording) &&
              stencil_bring_given(recording, &work->session, work->call->steps) &&
              (work->session.legs > 0                ? stencil_end_underway(&work->session, recording->leg_count)
               : recording->request == STENCIL_TILES ? stencil_advance_openly(&work->session, steps)
                                                     : stencil_advance(&work->session, steps));
    return stencil_leave_with(recording, work, is_good, 1, turn);
}

/* Runs ahead of the host. 2 if that cannot be, or not yet. */
static int stencil_take_ahead(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    stencil_session *session = &work->session;
    int kernel = stencil_folding_kernel(session->plan);
    int may_run, is_good;
    stencil_failure ahead;
    memset(&ahead, 0, sizeof ahead);
    if (recording->given_count > 0)
        return 2; /* nobody knows yet what later steps are given */
    if (!stencil_check_integers(work->call, &ahead) || !stencil_fits_session(work->call, recording)) {
        memset(&session->failure, 0, sizeof session->failure);
        return 2;
    }
    stencil_enter(session);
    if (session->state != STENCIL_OPEN)
        return stencil_lose_device(recording, work, turn);
    if (session->lacking > 0 && recording->ahead > 0 && (session->nest->last_single_steps > 1 || recording->legs > 0)) {
        stencil_exit(session);
        return 2; /* if it is taken back, not enough steps may follow to complete the results */
    }
    if (session->lacking > 0 && recording->ahead == 0 && !stencil_advance(session, 0))
        return stencil_lose_device(recording, work, turn);
    stencil_unmap_results(session);
    may_run = stencil_has_folding_kernel(session, kernel) && stencil_may_run_ahead(session, recording, kernel);
    is_good = session->built->is_good && (!may_run || (stencil_prepare_ahead(session, recording, kernel) &&
                                                       stencil_launch_ahead(session, recording, kernel)));
    return stencil_leave_with(recording, work, is_good, may_run ? 1 : 2, turn);
}

/* Takes back what the device is ahead of the host's steps, or has taken of the one in progress. */
static int stencil_end_ahead(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    int is_good;
    stencil_enter(&work->session);
    is_good = work->session.legs > 0 ? stencil_leave_underway(&work->session)
                                     : stencil_take_back(&work->session, recording->taken - recording->ahead_from);
    return stencil_leave_with(recording, work, is_good, 1, turn);
}

/* Whether the host asks for results, which must be complete. */
static int stencil_asks_for_results(stencil_request request)
{
    return request == STENCIL_DELIVER || request == STENCIL_PART || request == STENCIL_GATHER || request == STENCIL_FETCH ||
           request == STENCIL_STORE || request == STENCIL_COMPLETE;
}

/* Completes the results of the steps that were taken. */
static int stencil_complete(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    int is_good;
    stencil_enter(&work->session);
    is_good = work->session.state != STENCIL_OPEN || stencil_advance(&work->session, 0);
    return stencil_leave_with(recording, work, is_good, 1, turn);
}

/* Does what a recording asks for, with the tables of a call that begins with the recording's first step. */
static STENCIL_UNUSED int stencil_act(const stencil_nest *nest, const stencil_call *call, stencil_turn *turn,
                                      stencil_recording *recording)
{
    stencil_work *work = recording->work;
    if (recording->request == STENCIL_RUN)
        return stencil_run(nest, call, turn);
    if (recording->request == STENCIL_BEGIN) {
        int answer = stencil_open_recording(recording, nest, call, turn);
        if (answer == 1 && recording->is_whole)
            stencil_leave_variables(call);
        return answer;
    }
    work->call = work->session.call = call;
    if (stencil_asks_for_results(recording->request) && work->session.lacking > 0 && !stencil_complete(recording, work, turn))
        return 0;
    if (recording->request == STENCIL_COMPLETE)
        return 1;
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
    if (recording->request == STENCIL_TOUCH)
        return stencil_touches(recording, call);
    if (recording->request == STENCIL_STORE)
        return stencil_prepare_store(recording, work, turn);
    if (recording->request == STENCIL_TAKE)
        return stencil_take_over_stored(recording, work, turn);
    if (recording->request == STENCIL_FORESEE)
        return stencil_foresee_step(recording, work, turn);
    if (recording->request == STENCIL_PART)
        return stencil_bring_part(recording, work, turn);
    if (recording->request == STENCIL_DELIVER)
        return stencil_bring_results(recording, work, 0, turn);
    if (recording->request == STENCIL_GATHER)
        return stencil_gather(recording, work, turn);
    if (recording->request == STENCIL_FORETELL)
        return stencil_foretell_step(recording, work, turn);
    if (recording->request == STENCIL_FETCH)
        return stencil_fetch_uncovered(recording, work, turn);
    if (recording->request == STENCIL_PUT)
        return stencil_put_fetched(work);
    if (recording->request == STENCIL_LEND)
        return stencil_lend(recording, call);
    return stencil_close_recording(recording, work);
}
