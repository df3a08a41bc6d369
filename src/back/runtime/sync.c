/* What the host asks of a recording: one step more, its arrays, an end. README.md has the states. */

/* Steps that the host would have to take at most, if the device failed, for the sake of parts that are brought alone. */
static const long long stencil_most_replayed = 4096;

/* Lets the host take what legs of the step in progress were asked for. Its arrays hold what they should before that step. */
static void stencil_take_legs(stencil_recording *recording)
{
    if (recording->host_legs >= recording->legs)
        return;
    stencil_settle_values(recording);
    recording->first_step = recording->leg_step;
    recording->first_leg = recording->host_legs;
    recording->last_leg = recording->legs - 1;
    recording->host_legs = recording->legs;
    stencil_ask(recording, STENCIL_REPLAY, recording->arguments, recording->leg_step + 1);
    if (recording->telling_legs) {
        if (recording->told_legs < recording->legs)
            stencil_forget_combined(recording);
        while (recording->told_legs < recording->legs)
            stencil_fold_leg(recording, recording->leg_step + 1);
    } else if (recording->tells_early && recording->first_leg == 0 && recording->told != STENCIL_TOLD) {
        stencil_forget_combined(recording);
        stencil_fold_here(recording, recording->leg_step + 1);
        recording->told = STENCIL_TOLD;
    }
}

/* Of a chain the recording that is open: what it and those before it have computed is on the device, and what the host
   wants may be there, whatever nest it is asked of. */
static stencil_recording *stencil_open_one(stencil_recording *recording)
{
    return recording->chain && recording->chain->last ? recording->chain->last : recording;
}

/* Brings what the device has taken to the host's arrays. 0 if it has failed. */
static int stencil_deliver_taken(stencil_recording *recording)
{
    if (!(stencil_before(recording) ? stencil_deliver_chain(recording->chain, recording)
                                    : stencil_ask(recording, STENCIL_DELIVER, recording->arguments, recording->taken)))
        return 0;
    if (recording->chain)
        stencil_forget_past(recording->chain);
    recording->delivered = recording->taken;
    stencil_drop_batches(recording);
    stencil_drop_asides(recording);
    return 1;
}

/* Brings all whole steps to the host's arrays; the device keeps them, too. */
static int stencil_sync_steps(stencil_recording *recording)
{
    stencil_fold_in_order(recording);
    if (!stencil_flush(recording))
        return 1;
    if (recording->delivered == recording->taken)
        return stencil_deliver_past(recording);
    return stencil_deliver_taken(recording) || !stencil_fall_back(recording);
}

/* Brings everything to the host's arrays. */
static STENCIL_UNUSED int stencil_sync(stencil_recording *recording)
{
    recording = stencil_open_one(recording);
    stencil_take_stored(recording);
    stencil_sync_steps(recording);
    stencil_take_legs(recording);
    return 1;
}

/* Brings a part without waiting for all that is pending: the device takes whole tiles of it, and has a preview of the rest. 0 if
   it has failed, 2 if there is none. */
static int stencil_preview_part(stencil_recording *recording, long long steps)
{
    int answer = 2;
    stencil_end_steadiness(recording);
    if (recording->has_no_previews || stencil_tile_levels(recording) == 0)
        return 2;
    if (!stencil_take_tiles(recording))
        return 1;
    answer = stencil_ask(recording, STENCIL_PREVIEW, recording->arguments, steps);
    recording->has_no_previews = answer == 2;
    return answer;
}

/* A part of memory is wanted. Whether it is no range, and so may be anything. */
static int stencil_want(stencil_recording *recording, const volatile void *from, const volatile void *to, size_t stride,
                        size_t length)
{
    recording->from = (const char *)(size_t)from;
    recording->to = (const char *)(size_t)to;
    recording->stride = stride;
    recording->length = length;
    recording->is_behind = 0;
    return to && (size_t)from >= (size_t)to;
}

/* The same for what is behind pointers in that part. */
static int stencil_want_behind(stencil_recording *recording, const volatile void *from, const volatile void *to, size_t first,
                               size_t end)
{
    int is_anything = stencil_want(recording, from, to, 0, 0);
    recording->is_behind = 1;
    recording->first = (long long)first;
    recording->end = (long long)end;
    return is_anything;
}

/* Brings what the host reads, and leaves all else as it is. */
static int stencil_sync_wanted(stencil_recording *recording, int is_anything)
{
    long long steps = recording->taken + recording->pending;
    if (stencil_open_one(recording) != recording)
        return stencil_sync(recording);
    stencil_take_stored(recording);
    if (!stencil_deliver_past(recording))
        return 1;
    if (recording->legs > recording->host_legs &&
        (!recording->is_open || is_anything || stencil_ask(recording, STENCIL_MEET, recording->arguments, steps + 1)))
        return stencil_sync(recording);
    if (!recording->is_open || recording->delivered == steps)
        return 1;
    if (!is_anything && !stencil_ask(recording, STENCIL_MEET, recording->arguments, steps))
        return 1;
    if (is_anything || steps - recording->delivered > stencil_most_replayed)
        return stencil_sync(recording);
    switch (stencil_preview_part(recording, steps)) {
    case 0:
        return !stencil_fall_back(recording);
    case 1:
        return 1;
    }
    if (!stencil_flush(recording))
        return 1;
    switch (stencil_ask(recording, STENCIL_PART, recording->arguments, recording->taken)) {
    case 0:
        return !stencil_fall_back(recording);
    case 1:
        return 1;
    default:
        return stencil_sync(recording);
    }
}

/* The host reads memory from `from` up to `to`: all of an array that has `from` if `to` is null. What is no range may be anything. */
static STENCIL_UNUSED int stencil_sync_part(stencil_recording *recording, const volatile void *from, const volatile void *to)
{
    return stencil_sync_wanted(recording, stencil_want(recording, from, to, 0, 0));
}

/* It reads of that `length` bytes at each distance of `stride`. */
static STENCIL_UNUSED int stencil_sync_rows(stencil_recording *recording, const volatile void *from, const volatile void *to,
                                            size_t stride, size_t length)
{
    return stencil_sync_wanted(recording, stencil_want(recording, from, to, stride, length));
}

/* There are pointers in it, and the host reads from `first` to before `end` bytes behind each of them. */
static STENCIL_UNUSED int stencil_sync_behind(stencil_recording *recording, const volatile void *from, const volatile void *to,
                                              size_t first, size_t end)
{
    return stencil_sync_wanted(recording, stencil_want_behind(recording, from, to, first, end));
}

/* Leaves the device, which has nothing that the host has not. */
static int stencil_leave_recording(stencil_recording *recording)
{
    if (!recording->is_open)
        return 1;
    recording->expected = recording->taken;
    stencil_ask(recording, STENCIL_CLOSE, recording->arguments, recording->taken);
    stencil_forget_recording(recording);
    if (recording->chain)
        recording->chain->last = NULL;
    return 1;
}

/* Brings everything to the host's arrays and leaves the device. */
static STENCIL_UNUSED int stencil_finish(stencil_recording *recording)
{
    stencil_chain *chain = recording->chain;
    stencil_drop_verification(recording);
    stencil_take_stored(recording);
    if (chain && chain->calls > 0)
        chain->expected = chain->calls;
    if (chain)
        chain->calls = 0;
    if (chain && !chain->last)
        return 1;
    recording = stencil_open_one(recording);
    stencil_settle_values(recording);
    stencil_sync(recording);
    return stencil_leave_recording(recording);
}

/* The same within a step: as far as the program's text tells no sweep knows what is stored there. Where one does, the host takes the
   rest of the step. */
static int stencil_store_within(stencil_recording *recording, int is_anything)
{
    long long steps = recording->taken + recording->pending + 1;
    if (!recording->is_open && !recording->is_verified)
        return 1;
    if (!is_anything && !stencil_ask(recording, STENCIL_TOUCH, recording->arguments, steps))
        return 1;
    return stencil_finish(recording);
}

/* Prepares for what the host will store in a part of its arrays. */
static int stencil_store_wanted(stencil_recording *recording, int is_anything)
{
    int answer;
    if (stencil_open_one(recording) != recording)
        return stencil_finish(recording);
    if (recording->legs > 0 || recording->is_verified)
        return stencil_store_within(recording, is_anything);
    if (!stencil_deliver_past(recording) || !recording->is_open ||
        (!is_anything && !stencil_ask(recording, STENCIL_TOUCH, recording->arguments, recording->taken + recording->pending)) ||
        !stencil_flush(recording))
        return 1;
    if (recording->taken - recording->delivered > stencil_most_replayed)
        stencil_sync_steps(recording);
    answer = is_anything || !recording->is_open ? 3 : stencil_ask(recording, STENCIL_STORE, recording->arguments, recording->taken);
    if (answer == 2 && stencil_sync_steps(recording) && recording->is_open)
        answer = stencil_ask(recording, STENCIL_STORE, recording->arguments, recording->taken);
    if (answer == 0)
        return !stencil_fall_back(recording);
    if (answer == 1 && stencil_give_batch(recording))
        return 1;
    stencil_drop_stored(recording);
    stencil_settle_values(recording);
    stencil_sync_steps(recording);
    return stencil_leave_recording(recording);
}

/* The host will store elements in a part of memory that is described as for `stencil_sync_rows`: it gets what is there now, and what
   it has made of that goes to the device when that is next asked for something. */
static STENCIL_UNUSED int stencil_store(stencil_recording *recording, const volatile void *from, const volatile void *to,
                                        size_t stride, size_t length)
{
    stencil_take_stored(recording);
    return stencil_store_wanted(recording, stencil_want(recording, from, to, stride, length));
}

/* The same for one more part of the same statement. */
static STENCIL_UNUSED int stencil_store_too(stencil_recording *recording, const volatile void *from, const volatile void *to,
                                            size_t stride, size_t length)
{
    return stencil_store_wanted(recording, stencil_want(recording, from, to, stride, length));
}

/* The same for parts that are described as for `stencil_sync_behind`. */
static STENCIL_UNUSED int stencil_store_behind(stencil_recording *recording, const volatile void *from, const volatile void *to,
                                               size_t first, size_t end)
{
    stencil_take_stored(recording);
    return stencil_store_wanted(recording, stencil_want_behind(recording, from, to, first, end));
}

static STENCIL_UNUSED int stencil_store_behind_too(stencil_recording *recording, const volatile void *from,
                                                   const volatile void *to, size_t first, size_t end)
{
    return stencil_store_wanted(recording, stencil_want_behind(recording, from, to, first, end));
}

/* Lets the device take all that is recorded, and complete it. 0 if it has failed: then the host has taken it. */
static int stencil_complete_last(stencil_recording *last)
{
    stencil_settle_values(last);
    return stencil_flush(last) && (stencil_ask(last, STENCIL_COMPLETE, last->arguments, last->taken) || stencil_fall_back(last));
}

/* Lets another nest follow in the chain: what the one that is open computes stays on the device. */
static STENCIL_UNUSED int stencil_retire(stencil_chain *chain)
{
    stencil_recording *last = chain->last;
    chain->calls++;
    if (last && stencil_complete_last(last) && (chain->past_count >= stencil_most_past || !stencil_keep_past(chain, last)))
        stencil_finish(last);
    chain->last = NULL;
    return 1;
}

/* The same where the program ends. A CPU's OpenCL may still have to compile what it has not launched before, and its compiler may be
   gone by now, so nothing is launched there: what the device has taken goes to the arrays, and the host takes the rest. */
static STENCIL_UNUSED int stencil_finish_at_exit(stencil_recording *recording)
{
    int is_there = 1;
    recording = stencil_open_one(recording);
    if (!recording->is_open || !stencil_is_cpu(recording->work->session.device))
        return stencil_finish(recording);
    recording->launches_nothing = 1;
    stencil_take_stored(recording);
    if (recording->pending == 0 && (recording->owes_values || recording->is_near)) {
        is_there = stencil_ask(recording, STENCIL_GATHER, recording->arguments, recording->taken);
        if (is_there)
            stencil_fold_here(recording, recording->taken);
    }
    if (stencil_is_underway(recording))
        is_there = stencil_land(recording);
    if (is_there && recording->delivered < recording->taken)
        stencil_deliver_taken(recording);
    stencil_fall_back(recording);
    stencil_take_legs(recording);
    return 1;
}

/* Whether what the program does at its end, if the host ends it in its loop, finds the arrays as they should be: such functions
   run last one first, and those that the program registers while it records stand behind a call of `stencil_finish`. */
static int stencil_await_exit(stencil_recording *recording)
{
    if (!recording->is_open || !recording->at_exit || stencil_before(recording) || atexit(recording->at_exit) == 0)
        return 1;
    stencil_finish(recording);
    return 0;
}

/* Begins to record with the step whose arguments are there. 0 if the original loops must take it, 2 if it is done, or if the host
   takes its legs by the driver's own text. Where integers of so many steps as may come cannot be had, as the loop will end
   before, it begins with fewer. */
static STENCIL_UNUSED int stencil_begin(stencil_recording *recording)
{
    long long steps = recording->is_whole ? 1 : stencil_expected_steps;
    int answer = stencil_ask(recording, STENCIL_BEGIN, recording->arguments, steps);
    while (answer == 3) {
        steps /= 2;
        answer = stencil_ask(recording, STENCIL_BEGIN, recording->arguments, steps);
    }
    if (answer == 5)
        answer = stencil_ask(recording, STENCIL_BEGIN, recording->arguments, 1);
    if (answer != 1 && stencil_before(recording)) {
        stencil_end_chain(recording->chain);
        if (answer == 4)
            return stencil_begin(recording);
    }
    stencil_forget_combined(recording);
    recording->is_open = answer == 1;
    if (recording->is_open && recording->chain) {
        recording->chain->last = recording;
        stencil_go_back(recording->chain, recording, 0);
    }
    if (!stencil_await_exit(recording))
        return 0;
    if (answer != 2 || recording->leg_count > 0)
        return answer;
    answer = stencil_ask(recording, STENCIL_RUN, recording->arguments, 1) ? 2 : 0;
    if (answer == 2 && recording->has_folds)
        stencil_fold_here(recording, 1);
    stencil_forget_recording(recording);
    return answer;
}

/* Writes one more step down. */
static STENCIL_UNUSED int stencil_note_step(stencil_recording *recording)
{
    recording->pending++;
    recording->owes_values = recording->has_folds;
    recording->is_near = 0;
    if (recording->is_whole)
        return stencil_flush(recording) || 1;
    if (stencil_has_full_wheels(recording) || recording->batch_count >= stencil_most_batches)
        return stencil_sync_steps(recording);
    if (recording->pending < stencil_batch_steps)
        return 1;
    stencil_end_steadiness(recording);
    if (stencil_take_tiles(recording) && recording->pending >= stencil_batch_steps)
        stencil_flush(recording);
    return 1;
}
