/* Steps of a loop that the host keeps. Each call of the host function asks for one step, which is written down; what is written
   down runs when there is enough of it, or when the host needs the arrays. README.md has the states. */

/* Steps that run without having been asked for by a sync: some time tiles. */
static const long long stencil_batch_steps = 32;

/* Steps that a recording is expected to have as long as there was none. After so many it uses all buffers that it ever will. */
static const long long stencil_expected_steps = 64;

/* Steps that the host would have to take at most, if the device failed, for the sake of parts that are brought alone. */
static const long long stencil_most_replayed = 4096;

/* Steps that ran with the same scalars. */
struct stencil_batch {
    long long count;
    void *arguments; /* of the recording's first step, but for the scalars */
};

/* Forgets what has been brought to the arrays. */
static void stencil_drop_batches(stencil_recording *recording)
{
    for (int i = 0; i < recording->batch_count; i++)
        free(recording->batches[i].arguments);
    free(recording->batches);
    recording->batches = NULL;
    recording->batch_count = 0;
}

/* Notes that so many steps have run with the present scalars. 0 without memory. */
static int stencil_note_batch(stencil_recording *recording, long long count)
{
    stencil_batch *last = recording->batch_count ? &recording->batches[recording->batch_count - 1] : NULL, *more;
    if (last && memcmp(last->arguments, recording->arguments, recording->size) == 0) {
        last->count += count;
        return 1;
    }
    more = realloc(recording->batches, (size_t)(recording->batch_count + 1) * sizeof *more);
    if (!more)
        return 0;
    recording->batches = more;
    more[recording->batch_count].count = count;
    more[recording->batch_count].arguments = malloc(recording->size);
    if (!more[recording->batch_count].arguments)
        return 0;
    memcpy(more[recording->batch_count].arguments, recording->arguments, recording->size);
    recording->batch_count++;
    return 1;
}

/* Lets the driver make the tables of a call of so many steps since the first, and the runtime do what is asked with them. */
static int stencil_ask(stencil_recording *recording, stencil_request request, const void *arguments, long long steps)
{
    recording->request = request;
    return recording->act(recording, arguments, steps);
}

/* Nothing is recorded any more: the arrays are what they should be. */
static void stencil_forget_recording(stencil_recording *recording)
{
    stencil_drop_batches(recording);
    stencil_drop_asides(recording);
    /* What points of a step in progress give stays. */
    for (int i = 0; i < recording->room_count && !recording->legs; i++) {
        free(recording->rooms[i].memory);
        recording->rooms[i].memory = NULL;
        recording->rooms[i].size = 0;
    }
    recording->is_open = recording->brings_all = 0;
    recording->taken = recording->pending = recording->delivered = 0;
}

/* Gives an array of the driver's own its memory, which holds what it held as long as something is recorded. 0 without
   memory: it has none then. */
static STENCIL_UNUSED int stencil_give_room(stencil_recording *recording, int number, stencil_array *array)
{
    stencil_room *room = &recording->rooms[number];
    long long first, last;
    array->base = NULL;
    if (!stencil_span(array->rank, array->stride, &array->used, &first, &last))
        return 0;
    if (room->size < (size_t)(last - first + 1) * array->element_size) {
        free(room->memory);
        room->size = (size_t)(last - first + 1) * array->element_size;
        room->memory = malloc(room->size);
    }
    if (room->memory)
        array->base = (char *)room->memory - first * (long long)array->element_size;
    else
        room->size = 0;
    return array->base != NULL;
}

/* What the device has combined is not what the points give now. */
static void stencil_forget_combined(stencil_recording *recording)
{
    for (int i = 0; i < recording->room_count; i++)
        recording->rooms[i].is_combined = 0;
}

/* Folds what the host has of the last step. */
static void stencil_fold_here(stencil_recording *recording, long long steps)
{
    stencil_ask(recording, STENCIL_FOLD, recording->arguments, steps);
    recording->owes_values = 0;
}

/* Runs steps from what the arrays hold on the host. */
static void stencil_replay(stencil_recording *recording, const void *arguments, long long count)
{
    recording->first_step = recording->delivered;
    recording->first_leg = 0;
    recording->last_leg = recording->leg_count - 1;
    recording->delivered += count;
    if (count > 0)
        stencil_ask(recording, STENCIL_REPLAY, arguments, recording->delivered);
}

/* The device has failed: all steps run on the host that it has taken since the arrays were last brought, and those that it
   should have taken. */
static int stencil_fall_back(stencil_recording *recording)
{
    stencil_forget_combined(recording);
    stencil_put_back(recording);
    for (int i = 0; i < recording->batch_count; i++)
        stencil_replay(recording, recording->batches[i].arguments, recording->batches[i].count);
    stencil_replay(recording, recording->arguments, recording->taken + recording->pending - recording->delivered);
    if (recording->owes_values)
        stencil_fold_here(recording, recording->delivered);
    stencil_forget_recording(recording);
    return 0;
}

/* Lets the device take what is recorded. 0 if it has failed: then the host has taken it. */
static STENCIL_UNUSED int stencil_flush(stencil_recording *recording)
{
    if (!recording->is_open || recording->pending == 0)
        return recording->is_open;
    if (!stencil_ask(recording, STENCIL_ADVANCE, recording->arguments, recording->taken + recording->pending))
        return stencil_fall_back(recording);
    recording->taken += recording->pending;
    if (!stencil_note_batch(recording, recording->pending)) {
        recording->taken -= recording->pending;
        stencil_ask(recording, STENCIL_CLOSE, recording->arguments, recording->taken);
        return stencil_fall_back(recording);
    }
    recording->pending = 0;
    return 1;
}

/* Folds the last step, unless that is done. */
static STENCIL_UNUSED int stencil_settle_values(stencil_recording *recording)
{
    if (!recording->owes_values || !stencil_flush(recording))
        return 1;
    if (!stencil_ask(recording, STENCIL_GATHER, recording->arguments, recording->taken))
        return !stencil_fall_back(recording);
    stencil_fold_here(recording, recording->taken);
    return 1;
}

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
}

/* Brings all whole steps to the host's arrays; the device keeps them, too. */
static int stencil_sync_steps(stencil_recording *recording)
{
    if (!stencil_flush(recording) || recording->delivered == recording->taken)
        return 1;
    if (!stencil_ask(recording, STENCIL_DELIVER, recording->arguments, recording->taken))
        return !stencil_fall_back(recording);
    recording->delivered = recording->taken;
    stencil_drop_batches(recording);
    stencil_drop_asides(recording);
    return 1;
}

/* Brings everything to the host's arrays. */
static STENCIL_UNUSED int stencil_sync(stencil_recording *recording)
{
    stencil_sync_steps(recording);
    stencil_take_legs(recording);
    return 1;
}

/* Brings what the host reads of memory from `from` up to `to`, and leaves all else as it is: all of an array that has `from` if
   `to` is null. What is no range may be anything. */
static STENCIL_UNUSED int stencil_sync_part(stencil_recording *recording, const volatile void *from, const volatile void *to)
{
    long long steps = recording->taken + recording->pending;
    int is_anything = to && (size_t)from >= (size_t)to;
    recording->from = (const char *)(size_t)from;
    recording->to = (const char *)(size_t)to;
    if (recording->legs > recording->host_legs &&
        (!recording->is_open || is_anything || stencil_ask(recording, STENCIL_MEET, recording->arguments, steps + 1)))
        return stencil_sync(recording);
    if (!recording->is_open || recording->delivered == steps)
        return 1;
    if (!is_anything && !stencil_ask(recording, STENCIL_MEET, recording->arguments, steps))
        return 1;
    if (is_anything || steps - recording->delivered > stencil_most_replayed)
        return stencil_sync(recording);
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

/* Brings everything to the host's arrays and leaves the device. */
static STENCIL_UNUSED int stencil_finish(stencil_recording *recording)
{
    stencil_settle_values(recording);
    stencil_sync(recording);
    if (!recording->is_open)
        return 1;
    recording->expected = recording->taken;
    stencil_ask(recording, STENCIL_CLOSE, recording->arguments, recording->taken);
    stencil_forget_recording(recording);
    return 1;
}

/* Begins to record with the step whose arguments are there. 0 if the original loops must take it, 2 if it is done, or if the host
   takes its legs by the driver's own text. Where integers
   of so many steps as may come cannot be had, as the loop will end before, it begins with fewer. */
static STENCIL_UNUSED int stencil_begin(stencil_recording *recording)
{
    long long steps = stencil_expected_steps;
    int answer = stencil_ask(recording, STENCIL_BEGIN, recording->arguments, steps);
    while (answer == 3) {
        steps /= 2;
        answer = stencil_ask(recording, STENCIL_BEGIN, recording->arguments, steps);
    }
    stencil_forget_combined(recording);
    recording->is_open = answer == 1;
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
    if (recording->pending >= stencil_batch_steps)
        stencil_flush(recording);
    return 1;
}

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

/* A device that fails while steps are recorded loses nothing, as the host takes them. */
static int stencil_lose_device(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    work->failure = work->session.failure;
    stencil_close_session(&work->session);
    stencil_note_failure(work, turn);
    stencil_leave_device(recording, work);
    return 0;
}

/* Whether the loops take the step, given how many are expected. */
static int stencil_leaves_to_loops(const stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    const stencil_call *call = work->call;
    stencil_call expected = *call;
    int stays;
    expected.steps = recording->expected > 0 ? recording->expected : call->steps;
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

/* Opens a session for a call of as many steps as are expected. 2 if the step must be run by itself, 3 if there are too many. */
static int stencil_open_recording(stencil_recording *recording, const stencil_region *region, const stencil_call *call,
                                  stencil_turn *turn)
{
    stencil_failure ahead;
    stencil_work *work;
    memset(&ahead, 0, sizeof ahead);
    if (call->steps > 1 && !stencil_check_integers(call, &ahead))
        return 3;
    work = calloc(1, sizeof *work);
    if (!work || !stencil_begin_work(work, region, call) || (!recording->leg_count && stencil_asks_to_verify(work))) {
        free(work);
        return 2;
    }
    work->is_recorded = 1;
    stencil_skip_verification(work);
    if (stencil_rests(recording, work)) {
        free(work);
        turn->quick->stencil_waits = STENCIL_WATCHED;
        return 0;
    }
    if (!work->failure.reason[0] && stencil_leaves_to_loops(recording, work, turn)) {
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
        stencil_exit(&work->session);
        return 1;
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

static int stencil_take_recorded(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    stencil_enter(&work->session);
    if (!stencil_check_integers(work->call, &work->session.failure) || !stencil_fits_session(work->call, recording) ||
        !stencil_advance(&work->session, recording->pending))
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
        int room = call->arrays[call->results[i].array].room;
        if (is_folded ? room && !recording->rooms[room - 1].is_combined : !room)
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
        stencil_room *room = array->room ? &recording->rooms[array->room - 1] : NULL;
        if (!room)
            continue;
        room->has_points = !stencil_is_empty(array->rank, &result->box);
        room->is_combined = !room->has_points;
        if (room->has_points && stencil_is_worth_combining(session, result, room->fold) &&
            !stencil_combine(session, result, room->fold, room->type, room))
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

/* Combines what the points of the last step give on the device, and brings the rest of it. */
static int stencil_gather(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    stencil_enter(&work->session);
    if (work->session.state == STENCIL_OPEN && !stencil_combine_values(recording, &work->session))
        return stencil_lose_device(recording, work, turn);
    stencil_exit(&work->session);
    return stencil_bring_results(recording, work, 1, turn);
}

static int stencil_close_recording(stencil_recording *recording, stencil_work *work)
{
    stencil_enter(&work->session);
    if (work->options.is_verbose)
        stencil_account_device(work);
    stencil_leave_device(recording, work);
    return 1;
}

/* Does what a recording asks for, with the tables of a call that begins with the recording's first step. */
static STENCIL_UNUSED int stencil_act(const stencil_region *region, const stencil_call *call, stencil_turn *turn,
                                      stencil_recording *recording)
{
    stencil_work *work = recording->work;
    if (recording->request == STENCIL_RUN)
        return stencil_run(region, call, turn);
    if (recording->request == STENCIL_BEGIN)
        return stencil_open_recording(recording, region, call, turn);
    work->call = work->session.call = call;
    if (recording->request == STENCIL_ADVANCE)
        return stencil_take_recorded(recording, work, turn);
    if (recording->request == STENCIL_MEET)
        return stencil_meets(recording, call);
    if (recording->request == STENCIL_PART)
        return stencil_bring_part(recording, work, turn);
    if (recording->request == STENCIL_DELIVER)
        return stencil_bring_results(recording, work, 0, turn);
    if (recording->request == STENCIL_GATHER)
        return stencil_gather(recording, work, turn);
    return stencil_close_recording(recording, work);
}
