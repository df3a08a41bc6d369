/* Steps of a loop that the host keeps. Each call of the host function asks for one step, which is written down; what is written
   down runs when there is enough of it, or when the host needs the arrays. README.md has the states. */

/* Steps that run without having been asked for by a sync: some time tiles. */
static const long long stencil_batch_steps = 32;

/* Batches that are remembered at most, with the scalars of each: the host may change these in each step. */
static const int stencil_most_batches = 4096;

/* Steps that a recording is expected to have as long as there was none. After so many it uses all buffers that it ever will. */
static const long long stencil_expected_steps = 64;

/* The device has failed: all steps run on the host that it has taken since the arrays were last brought, and those that it
   should have taken. */
static int stencil_fall_back(stencil_recording *recording)
{
    stencil_forget_combined(recording);
    stencil_note_stored(recording);
    stencil_put_back(recording);
    if (recording->work)
        stencil_ask(recording, STENCIL_CLOSE, recording->arguments, recording->taken);
    if (recording->chain) {
        recording->chain->last = NULL;
        stencil_replay_past(recording->chain);
    }
    for (int i = 0; i < recording->batch_count; i++)
        stencil_replay_batch(recording, &recording->batches[i]);
    stencil_replay(recording, recording->arguments, recording->taken + recording->pending - recording->delivered);
    if (recording->owes_values || recording->is_near)
        stencil_fold_here(recording, recording->delivered);
    stencil_forget_recording(recording);
    return 0;
}

/* Brings what those before a recording have computed, so that it is the first of its chain. 0 if the device has failed: then the host
   has taken all. */
static int stencil_deliver_past(stencil_recording *recording)
{
    stencil_chain *chain = stencil_before(recording);
    if (chain && !stencil_deliver_chain(chain, NULL))
        return stencil_fall_back(recording);
    if (chain)
        stencil_forget_past(chain);
    return 1;
}

/* The device takes what the host has stored in its arrays since it was last asked for anything. */
static STENCIL_UNUSED int stencil_take_stored(stencil_recording *recording)
{
    if (!recording->stored)
        return 1;
    if (!stencil_ask(recording, STENCIL_TAKE, recording->arguments, recording->taken))
        return !stencil_fall_back(recording);
    stencil_note_stored(recording);
    return 1;
}

/* Whether the device has taken legs of the step in progress. */
static int stencil_is_underway(const stencil_recording *recording)
{
    return recording->is_open && recording->work->session.legs > 0;
}

/* The device has taken nothing but whole steps that the host has asked for. 0 if it has failed: then the host has taken what is
   recorded. */
static int stencil_land(stencil_recording *recording)
{
    int was_ahead = recording->ahead > 0 || stencil_is_underway(recording);
    recording->ahead = 0;
    if (!was_ahead || stencil_ask(recording, STENCIL_LAND, recording->arguments, recording->taken))
        return 1;
    return stencil_fall_back(recording);
}

/* So many pending steps have been taken. 0 without memory for what may have to be replayed: then the host has taken them. */
static int stencil_note_taken(stencil_recording *recording, long long steps)
{
    if (!stencil_note_batch(recording, steps))
        return stencil_fall_back(recording);
    recording->taken += steps;
    recording->pending -= steps;
    return 1;
}

/* Lets the device take pending steps. 0 if it has failed: then the host has taken them. */
static int stencil_take_pending(stencil_recording *recording)
{
    if (!stencil_land(recording))
        return 0;
    if (recording->pending == 0)
        return 1;
    if (!stencil_ask(recording, STENCIL_ADVANCE, recording->arguments, recording->taken + recording->pending))
        return stencil_fall_back(recording);
    return stencil_note_taken(recording, recording->pending);
}

/* Steps of the deepest tiles that a recording has; 0: it takes its steps as they come, as where results must be complete if the
   program ends. */
static long long stencil_tile_levels(const stencil_recording *recording)
{
    const stencil_session *session = &recording->work->session;
    if (recording->is_whole || session->takes_singly || session->expansion || (recording->at_exit && stencil_is_cpu(session->device)))
        return 0;
    for (int k = 0; k < session->plan->kernel_count; k++)
        if (session->plan->kernels[k].levels > 1 && stencil_may_use(session->built, k))
            return session->plan->kernels[k].levels;
    return 0;
}

/* Lets the device take whole tiles of what is pending, and leaves the rest, as nobody asks for all results. 0 if it has failed:
   then the host has taken all that was pending. */
static int stencil_take_tiles(stencil_recording *recording)
{
    long long levels, steps;
    if (!recording->is_open || !stencil_land(recording))
        return 0;
    levels = stencil_tile_levels(recording);
    steps = levels > 0 ? recording->pending - recording->pending % levels : 0;
    if (steps == 0)
        return 1;
    if (!stencil_ask(recording, STENCIL_TILES, recording->arguments, recording->taken + steps))
        return stencil_fall_back(recording);
    return stencil_note_taken(recording, steps);
}

/* The host does something else than to look at what each step comes to. */
static void stencil_end_steadiness(stencil_recording *recording)
{
    if (recording->steady > 0) {
        recording->last_steady = recording->steady;
        recording->steady = 0;
    }
}

/* Lets the device take what is recorded, and no more. 0 if it has failed: then the host has taken it. */
static int stencil_flush(stencil_recording *recording)
{
    stencil_end_steadiness(recording);
    return recording->is_open && stencil_take_pending(recording);
}

/* What steps are given changes: those that are pending run before. A step that is under way goes on with it. */
static STENCIL_UNUSED int stencil_adopt(stencil_recording *recording)
{
    return stencil_is_underway(recording) || stencil_flush(recording);
}
