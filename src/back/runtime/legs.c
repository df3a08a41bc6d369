/* Steps within which the host does something. There is a call for each leg of such a step, that is for what stands between two of
   the host's doings. A leg is noted, and the last one makes a step of them, which is recorded as any other. Who needs the arrays
   before that gets them by the driver's own text, which takes the legs that were asked for on the host's arrays: after that the
   host takes the rest of the step, too, and the device the whole of it. README.md has the states. */

/* So many steps are looked at together, and so many are left to the loops if the host had to take most of them. */
static const int stencil_judged_steps = 16;
static const int stencil_rest_steps = 256;

/* The same where it will have to take all of them. */
static int stencil_steps_to_rest(const stencil_recording *recording)
{
    int never_tells = recording->tells_early && recording->is_open && stencil_levels_ahead(recording) == 0;
    return never_tells ? INT_MAX : stencil_rest_steps;
}

/* A step is over. The device gains nothing where the host takes most of them. */
static void stencil_judge_step(stencil_recording *recording, int is_by_host)
{
    recording->ended++;
    recording->ended_by_host += is_by_host;
    if (recording->ended < stencil_judged_steps)
        return;
    if (2 * recording->ended_by_host > recording->ended) {
        int rest = stencil_steps_to_rest(recording);
        stencil_finish(recording);
        recording->rest = rest;
    }
    recording->ended = recording->ended_by_host = 0;
}

/* Before a step: the one before may have been left within. */
static STENCIL_UNUSED int stencil_leave_step(stencil_recording *recording, int leg_count)
{
    int is_left = recording->legs > 0;
    stencil_drop_verification(recording);
    if (is_left)
        stencil_finish(recording);
    recording->leg_count = leg_count;
    recording->legs = recording->host_legs = recording->is_of_loops = 0;
    recording->told = STENCIL_UNTOLD;
    recording->told_legs = 0;
    if (is_left)
        stencil_judge_step(recording, 1);
    return 1;
}

/* Whether so many legs of a step have been noted, so that one more can be. */
static STENCIL_UNUSED int stencil_goes_on(stencil_recording *recording, int legs)
{
    return !recording->is_of_loops && recording->legs == legs;
}

/* The program's own loops take a leg and all behind it: 0 at first, 1 when they have run. They cannot where the legs before it,
   which they have not run, hand something on to them in scalars. */
static STENCIL_UNUSED int stencil_give_leg(const stencil_nest *nest, stencil_recording *recording, int leg, int is_handed_on)
{
    int has_run = recording->is_of_loops == leg;
    if (has_run && leg == recording->leg_count)
        stencil_compare_step(nest, recording);
    if (recording->is_verified && leg == recording->leg_count)
        stencil_ask(recording, STENCIL_FORESEE, recording->arguments, 1);
    if (!recording->is_of_loops) {
        stencil_finish(recording);
        if (nest->no_fallback || recording->has_folds || is_handed_on) {
            fprintf(stderr, "%s: %s: the host has changed sizes or pointers within a step, so that nothing can go on with it\n",
                    nest->where, nest->name);
            stencil_end_program();
        }
    }
    recording->is_of_loops = has_run ? 1 : leg;
    return has_run;
}

/* All legs of a step are noted. If the host has taken it, so that its arrays are what they should, the device follows at once:
   nothing is left to be taken on the host, should it fail. */
static void stencil_end_step(stencil_recording *recording)
{
    int is_taken = recording->host_legs > 0;
    recording->legs = recording->host_legs = 0;
    if (is_taken && recording->has_folds && !recording->tells_early) {
        stencil_forget_combined(recording);
        stencil_fold_here(recording, recording->leg_step + 1);
    }
    if (recording->is_open && is_taken) {
        recording->pending++;
        recording->delivered = recording->taken + recording->pending;
        if (stencil_flush(recording))
            stencil_drop_batches(recording);
    } else if (recording->is_open && recording->tells_early) {
        stencil_note_told(recording);
    } else if (recording->is_open) {
        stencil_note_step(recording);
    }
    recording->told = STENCIL_UNTOLD;
    recording->told_legs = 0;
    stencil_judge_step(recording, is_taken);
}

/* The first leg of a step that the host goes through is asked for: the whole step is taken. */
static void stencil_go_through(stencil_recording *recording)
{
    recording->legs = 0;
    if (recording->is_open) {
        stencil_note_step(recording);
        stencil_settle_comparisons(recording);
        return;
    }
    recording->legs = recording->leg_count;
    stencil_take_legs(recording);
    recording->told = STENCIL_UNTOLD;
}

/* Notes that legs of a step are asked for, up to that one. */
static STENCIL_UNUSED int stencil_note_leg(stencil_recording *recording, int legs)
{
    if (recording->goes_through) {
        if (legs == 1)
            stencil_go_through(recording);
        recording->legs = recording->host_legs = legs < recording->leg_count ? legs : 0;
        return 1;
    }
    recording->legs = legs;
    if (!recording->is_open || recording->host_legs > 0)
        stencil_take_legs(recording);
    else if (recording->telling_legs)
        stencil_tell_leg(recording);
    else if (legs == 1 && recording->tells_early)
        stencil_tell(recording);
    if (legs == recording->leg_count)
        stencil_end_step(recording);
    return 1;
}
