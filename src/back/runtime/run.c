/* A call from beginning to end. */

/* Ends a program whose arrays are neither what they were nor what they should be. */
static void stencil_end_halfway(const stencil_nest *nest, const stencil_failure *failure)
{
    fprintf(stderr, "%s: %s: the device failed while its results were copied to the arrays, which are lost: %s\n",
            nest->where, nest->name, failure->reason);
    stencil_end_program();
}

/* Whether the nest does anything. Where all sweeps are empty a result may still be a copy of another array. */
static int stencil_has_work(const stencil_call *call)
{
    if (call->steps <= 0)
        return 0;
    for (int i = 0; i < call->result_count; i++)
        if (!stencil_is_empty(call->arrays[call->results[i].array].rank, &call->results[i].box))
            return 1;
    return stencil_has_cells(call);
}

/* All that may fail: the host's memory is as it was. */
static int stencil_compute(stencil_work *work)
{
    stencil_session *session = &work->session;
    const stencil_call *call = work->call;
    int is_good = stencil_open_session(session, work->shared, work->nest, call, &work->options) &&
                  stencil_advance(session, call->steps) && stencil_check_poison(session) &&
                  stencil_fetch(session, session->call->results, session->call->result_count);
    if (!is_good)
        work->failure = session->failure;
    return is_good;
}

/* Brings fetched results to copies of arrays. */
static void stencil_fill_kept(const stencil_session *session, const stencil_verification *kept)
{
    for (int i = 0; i < session->result_count; i++) {
        stencil_array copy = stencil_array_among(session, session->results[i].array, kept->copies);
        stencil_copy_result(session, i, &copy);
    }
}

/* Puts what the nest should leave aside, so that the original loops may run. 0 if there is no memory for it, or no need. */
static int stencil_keep_results(stencil_work *work, stencil_turn *turn, int has_results)
{
    if (!work->options.verifies)
        return 0;
    turn->is_told = work->options.is_verbose;
    turn->kept = stencil_keep_arrays(work->call, work->options.tolerance);
    if (!turn->kept)
        stencil_say_not_verified(work->nest, "out of host memory");
    if (turn->kept && has_results)
        stencil_fill_kept(&work->session, turn->kept);
    return turn->kept != NULL;
}

/* Brings the results to the user's arrays, or keeps them aside to be compared. 0 if the device has failed meanwhile. */
static int stencil_hand_over(stencil_work *work, stencil_turn *turn, int *is_kept)
{
    *is_kept = stencil_keep_results(work, turn, 1);
    stencil_spend(&work->session, work->options.verifies ? STENCIL_VERIFYING : STENCIL_DOWNLOADING);
    return *is_kept || stencil_deliver(&work->session);
}

/* Keeps account of a call that is done, and learns from it. */
static void stencil_note_call(stencil_work *work, stencil_turn *turn)
{
    const stencil_session *session = &work->session;
    int was_ready = session->seconds[STENCIL_OPENING] <= 0 && session->seconds[STENCIL_COMPILING] <= 0 &&
                    !session->climb.began_low;
    stencil_note_device(work, turn, session->since - work->started, was_ready);
    if (work->options.is_verbose)
        stencil_account_device(work);
}

/* Says why the device cannot be used; does not return if the original loops may not run instead. */
static void stencil_note_failure(stencil_work *work, stencil_turn *turn)
{
    stencil_report_failure(work->nest, &work->options, &work->failure);
    if (work->options.is_verbose)
        stencil_account_failure(work, turn);
}

/* Runs the nest on the device. 1 if it did, and everything is as the nest leaves it. */
static int stencil_run_on_device(stencil_work *work, stencil_turn *turn)
{
    int is_done, is_complete = 1, is_kept = 0;
    work->started = stencil_now();
    stencil_enter(&work->session);
    is_done = stencil_compute(work);
    if (is_done)
        is_complete = stencil_hand_over(work, turn, &is_kept);
    stencil_close_session(&work->session);
    if (!is_complete)
        stencil_end_halfway(work->nest, &work->session.failure);
    if (is_done)
        stencil_note_call(work, turn);
    else
        stencil_note_failure(work, turn);
    stencil_exit(&work->session);
    return is_done && !is_kept;
}

/* Whether the user wants to see the loops compared and there are any. */
static void stencil_settle_verification(stencil_work *work, const stencil_turn *turn, int has_work)
{
    if (!work->options.verifies || (turn && !work->nest->no_fallback))
        return;
    work->options.verifies = 0;
    if (has_work)
        stencil_say_not_verified(work->nest, "the program has no original loops");
}

/* Begins with a call, all zero so far. 0 if it does nothing. */
static int stencil_begin_work(stencil_work *work, const stencil_nest *nest, const stencil_call *call)
{
    work->nest = nest;
    work->call = call;
    work->options = stencil_read_options();
    work->shared = &stencil_shared_v9;
    /* What bounds say is only known of integers that are those of the original. */
    return !stencil_check_integers(call, &work->failure) || stencil_has_work(call);
}

/* Runs a nest. 1 if that is done. 0 if its original loops must run, and nothing on the host has changed: the device could not
   be used or would take longer, or what it did is to be compared. `turn` is null where there are no loops, or nobody calls
   again. */
static int stencil_run(const stencil_nest *nest, const stencil_call *call, stencil_turn *turn)
{
    stencil_work work;
    int is_done, has_work;
    memset(&work, 0, sizeof work);
    has_work = stencil_begin_work(&work, nest, call);
    stencil_settle_verification(&work, turn, has_work);
    if (!has_work)
        is_done = !stencil_keep_results(&work, turn, 0);
    else
        is_done = !work.failure.reason[0] && stencil_stays_on_host(&work, turn) ? 0 : stencil_run_on_device(&work, turn);
    if (is_done)
        stencil_leave_variables(call);
    else if (turn)
        stencil_watch_loops(turn);
    return is_done;
}
