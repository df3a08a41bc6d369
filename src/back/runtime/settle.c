/* Folding what the points of recorded steps give, when the host looks at it: in the order of the program's loops where that
   counts, with what the device has combined elsewhere, and with bounds where only comparisons are asked for. */

/* Steps until the device runs ahead again, after the host had to fold what it had found. */
static const long long stencil_steps_apart = 1000;

/* The steps that the host has asked for and that are not taken, with one in progress. */
static long long stencil_asked_for(const stencil_recording *recording)
{
    return recording->pending + (recording->legs > 0);
}

/* Whether the device has taken the one such step already, and knows all that it comes to. */
static int stencil_is_ahead(const stencil_recording *recording)
{
    long long step = recording->taken - recording->ahead_from;
    int is_known = recording->ahead > 0 && stencil_asked_for(recording) == 1 && step < recording->ahead;
    for (int i = 0; is_known && i < recording->room_count; i++)
        is_known = recording->rooms[i].ahead[step].is_known;
    return is_known;
}

/* Whether the device should run so many steps ahead: the host has asked for some one by one, and will for so many more if it
   does as it did before. Within a step the device has no other way to know what that comes to. */
static int stencil_is_worth_running_ahead(const stencil_recording *recording, long long levels)
{
    long long steady = recording->steady, last = recording->last_steady;
    int is_used_up = recording->ahead == 0 || recording->taken - recording->ahead_from == recording->ahead;
    int will_go_on = steady >= 2 && (last == 0 || steady > last || steady + levels - 1 <= last);
    return levels > 0 && is_used_up && stencil_asked_for(recording) == 1 &&
           (will_go_on || (recording->legs > 0 && steady >= 0));
}

/* Lets the device run ahead, if it can. 0 if it has failed: then the host has taken the step. */
static int stencil_run_ahead(stencil_recording *recording)
{
    long long levels = stencil_levels_ahead(recording);
    if (!stencil_is_worth_running_ahead(recording, levels))
        return 1;
    switch (stencil_ask(recording, STENCIL_AHEAD, recording->arguments, recording->taken + levels)) {
    case 0:
        return stencil_fall_back(recording);
    case 1:
        recording->ahead_from = recording->taken;
        recording->ahead = (int)levels;
        if (!stencil_is_ahead(recording))
            recording->steady = -stencil_steps_apart;
    }
    return 1;
}

/* Whether what the device has combined is right for comparisons alone. */
static int stencil_has_bounded(const stencil_recording *recording)
{
    int found = 0;
    for (int i = 0; i < recording->room_count; i++) {
        const stencil_room *room = &recording->rooms[i];
        found |= (stencil_is_bounded_sum(room) || room->combined.is_rough) && room->combined.is_known && room->has_points;
    }
    return found;
}

/* Whether the host compares such sums. */
static int stencil_has_compared(const stencil_recording *recording)
{
    int found = 0;
    for (int i = 0; i < recording->room_count; i++)
        found |= recording->rooms[i].is_compared;
    return found && stencil_has_bounded(recording);
}

/* Whether what the device has combined of so many steps is right for all that the host asks. */
static int stencil_is_enough(stencil_recording *recording, long long steps)
{
    return !stencil_has_compared(recording) || stencil_ask(recording, STENCIL_COMPARE, recording->arguments, steps);
}

/* Folds the last step with what is right for comparisons. */
static void stencil_fold_near(stencil_recording *recording)
{
    int is_near = stencil_has_bounded(recording);
    stencil_fold_here(recording, recording->taken);
    recording->is_near = is_near;
}

/* Folds the last step in the order of the program's loops, where that counts, unless it is done. */
static int stencil_fold_in_order(stencil_recording *recording)
{
    int is_there;
    if (!recording->is_open || !(recording->owes_values || recording->is_near))
        return 1;
    stencil_end_steadiness(recording);
    if (!stencil_take_pending(recording))
        return 1;
    recording->needs_order = 1;
    is_there = stencil_ask(recording, STENCIL_GATHER, recording->arguments, recording->taken);
    recording->needs_order = 0;
    if (!is_there)
        return !stencil_fall_back(recording);
    stencil_fold_here(recording, recording->taken);
    return 1;
}

/* The same, where bounds of sums do not tell how comparisons come out. */
static int stencil_fold_undecided(stencil_recording *recording)
{
    stencil_fold_in_order(recording);
    if (recording->is_open)
        recording->steady = -stencil_batch_steps;
    return 1;
}

/* What the step that was asked for comes to, which the device has taken already. Whether it is right for all that the host asks. */
static int stencil_look_ahead(stencil_recording *recording)
{
    for (int i = 0; i < recording->room_count; i++)
        recording->rooms[i].combined = recording->rooms[i].ahead[recording->taken - recording->ahead_from];
    return stencil_is_enough(recording, recording->taken + 1);
}

/* Folds the pending step, which the device has taken already. */
static int stencil_fold_ahead(stencil_recording *recording)
{
    if (!stencil_look_ahead(recording))
        return stencil_fold_undecided(recording);
    if (stencil_note_taken(recording, recording->pending))
        stencil_fold_near(recording);
    return 1;
}

/* Folds the last step, unless that is done, so that the host's comparisons come out as they should. */
static STENCIL_UNUSED int stencil_settle_comparisons(stencil_recording *recording)
{
    stencil_take_stored(recording);
    if (!recording->owes_values || !recording->is_open)
        return 1;
    recording->steady++;
    if (!stencil_is_ahead(recording) && !stencil_run_ahead(recording))
        return 1;
    if (stencil_is_ahead(recording))
        return stencil_fold_ahead(recording);
    if (!stencil_take_pending(recording))
        return 1;
    if (!stencil_ask(recording, STENCIL_GATHER, recording->arguments, recording->taken))
        return !stencil_fall_back(recording);
    if (!stencil_is_enough(recording, recording->taken))
        return stencil_fold_undecided(recording);
    stencil_fold_near(recording);
    return 1;
}

/* Folds the last step, unless that is done, so that scalars are what they should be. */
static STENCIL_UNUSED int stencil_settle_values(stencil_recording *recording)
{
    int is_bounded = 0;
    stencil_take_stored(recording);
    if (recording->told)
        return 1; /* they are those of the step in progress */
    for (int i = 0; i < recording->room_count; i++)
        is_bounded |= recording->rooms[i].is_bounded;
    return is_bounded ? stencil_fold_in_order(recording) : stencil_settle_comparisons(recording);
}
