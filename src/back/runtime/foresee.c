/* STENCIL_VERIFY for steps within which the host does something. The session is opened before the first leg, with the arrays as they
   are then, and the program's own loops take the step. Before the last leg the calls have brought all that the step is given: then
   the device takes it, and its results are kept to be compared behind that leg. */

/* The step is not compared. */
static int stencil_drop_verification(stencil_recording *recording)
{
    if (recording->is_verified && recording->work) {
        stencil_say_not_verified(recording->work->nest, "the host has left the step, or changed arrays within it");
        recording->is_verified = 0;
        stencil_ask(recording, STENCIL_CLOSE, recording->arguments, 1);
    }
    stencil_release_verification(recording->kept);
    recording->kept = NULL;
    return 1;
}

/* Takes the step, and keeps what it should leave. What the loops leave in variables is not compared. */
static int stencil_foresee_step(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    stencil_session *session = &work->session;
    const stencil_call *call = work->call;
    recording->is_verified = 0;
    stencil_enter(session);
    if (!stencil_check_integers(call, &session->failure) || !stencil_fits_session(call, recording) ||
        !stencil_advance(session, 1) || !stencil_check_poison(session) ||
        !stencil_fetch(session, call->results, call->result_count))
        return stencil_lose_device(recording, work, turn);
    recording->kept = stencil_keep_arrays(call, work->options.tolerance);
    if (recording->kept) {
        recording->kept->left_count = 0;
        stencil_fill_kept(session, recording->kept);
    } else {
        stencil_say_not_verified(work->nest, "out of host memory");
    }
    stencil_exit(session);
    return stencil_close_recording(recording, work);
}

/* Compares what was kept with what the loops have left. */
static void stencil_compare_step(const stencil_nest *nest, stencil_recording *recording)
{
    if (recording->kept)
        stencil_verify(nest, recording->kept, NULL);
    stencil_release_verification(recording->kept);
    recording->kept = NULL;
}
