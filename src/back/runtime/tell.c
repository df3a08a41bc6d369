/* Steps within which the host looks at what their first leg folds, as in `sweep; if (err < tol) break; copy back;`. The device takes
   such a step ahead of the host, as whole, and tells what it comes to. If all legs are asked for, it has taken the step. If anything
   else is asked for before that, or the host leaves the step, it takes the step back, and the host takes the legs so far. Where
   the device cannot run ahead, as the order counts in which points are folded, it takes that leg alone, and goes on with the step when
   all legs have been asked for, or more is to be told. Where it cannot do that either, the host takes the legs at once. */

/* The device is ahead of the step in progress, or has tried. 0 if it has failed. */
static int stencil_go_ahead(stencil_recording *recording)
{
    if (stencil_is_ahead(recording))
        return 1;
    if (!stencil_run_ahead(recording))
        return 0;
    if (stencil_is_ahead(recording) || recording->ahead == 0 || recording->taken - recording->ahead_from < recording->ahead)
        return 1;
    /* The host may leave the step, so that nothing would complete the launch before. */
    return stencil_land(recording) && stencil_run_ahead(recording);
}

/* The device is not ahead, and tells what the points of the step in progress will give: the host folds that in order. Whether it
   can. */
static int stencil_foretell(stencil_recording *recording)
{
    int answer;
    stencil_end_steadiness(recording);
    if (!recording->is_open || (!stencil_is_underway(recording) && !stencil_take_pending(recording)))
        return 0;
    if (recording->steady >= 0)
        recording->steady = -stencil_batch_steps;
    recording->needs_order = 1;
    answer = stencil_ask(recording, STENCIL_FORETELL, recording->arguments, recording->taken + 1);
    recording->needs_order = 0;
    if (answer == 0)
        stencil_fall_back(recording);
    if (answer != 1)
        return 0;
    if (recording->telling_legs) {
        stencil_fold_leg(recording, recording->taken + 1);
        return 1;
    }
    stencil_fold_here(recording, recording->taken + 1);
    recording->told = STENCIL_TOLD;
    return 1;
}

/* Tells the host what the first leg comes to. */
static void stencil_tell(stencil_recording *recording)
{
    int is_known;
    recording->is_near = 0; /* what the step before has come to is gone */
    recording->steady++;
    is_known = (recording->pending == 0 || stencil_take_pending(recording)) && stencil_go_ahead(recording) &&
               stencil_is_ahead(recording) && stencil_look_ahead(recording);
    if (!is_known) {
        if (stencil_foretell(recording))
            return;
        if (recording->is_open)
            stencil_sync_steps(recording);
        stencil_take_legs(recording);
        return;
    }
    stencil_fold_here(recording, recording->taken + 1);
    recording->told = stencil_has_bounded(recording) ? STENCIL_NEARLY : STENCIL_TOLD;
}

/* Tells the host what the leg comes to that was asked for last, where each leg tells what it folds: the device goes on with the
   step. */
static void stencil_tell_leg(stencil_recording *recording)
{
    recording->is_near = 0;
    if (!(recording->telling_legs >> recording->told_legs & 1))
        recording->told_legs++;
    else if (!stencil_foretell(recording)) {
        if (recording->is_open)
            stencil_sync_steps(recording);
        stencil_take_legs(recording);
    }
}

/* All legs of a step are noted that the device has taken ahead of the host, unless that was taken back because of what the host has
   made for the later ones. */
static int stencil_note_told(stencil_recording *recording)
{
    recording->pending++;
    recording->is_near = recording->told == STENCIL_NEARLY;
    if (recording->batch_count >= stencil_most_batches)
        return stencil_sync_steps(recording);
    if (stencil_is_underway(recording)) {
        if (!stencil_ask(recording, STENCIL_ADVANCE, recording->arguments, recording->taken + 1))
            return stencil_fall_back(recording);
        return stencil_note_taken(recording, 1);
    }
    return !stencil_is_ahead(recording) || stencil_note_taken(recording, 1);
}

/* Folds the last step, or the first leg of the one in progress, so that scalars are what they should be. */
static STENCIL_UNUSED int stencil_settle_told(stencil_recording *recording)
{
    if (recording->told == STENCIL_NEARLY)
        return stencil_foretell(recording) || stencil_sync(recording);
    return stencil_settle_values(recording);
}
