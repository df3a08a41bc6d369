/* Steps of a loop that the host keeps. Each call of the host function asks for one step, which is written down; what is written
   down runs when there is enough of it, or when the host needs the arrays. README.md has the states. */

/* Steps that run without having been asked for by a sync: some time tiles. */
static const long long stencil_batch_steps = 32;

/* Steps that a recording is expected to have as long as there was none. After so many it uses all buffers that it ever will. */
static const long long stencil_expected_steps = 64;

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
    for (int i = 0; i < recording->room_count; i++) {
        free(recording->rooms[i].ahead);
        recording->rooms[i].ahead = NULL;
        if (recording->legs)
            continue; /* what points of a step in progress give stays */
        free(recording->rooms[i].memory);
        recording->rooms[i].memory = NULL;
        recording->rooms[i].size = 0;
    }
    recording->is_open = recording->brings_all = recording->ahead = 0;
    recording->taken = recording->pending = recording->delivered = recording->steady = recording->last_steady = 0;
    recording->is_near = 0;
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
    if (first > last)
        first = last = 0; /* no step, so no element */
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
        recording->rooms[i].combined.is_known = 0;
}

/* Folds what the host has of the last step. */
static void stencil_fold_here(stencil_recording *recording, long long steps)
{
    stencil_ask(recording, STENCIL_FOLD, recording->arguments, steps);
    recording->owes_values = recording->is_near = 0;
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
    if (recording->owes_values || recording->is_near)
        stencil_fold_here(recording, recording->delivered);
    stencil_forget_recording(recording);
    return 0;
}

/* The device is no longer ahead. 0 if it has failed: then the host has taken what is recorded. */
static int stencil_land(stencil_recording *recording)
{
    int was_ahead = recording->ahead;
    recording->ahead = 0;
    if (!was_ahead || stencil_ask(recording, STENCIL_LAND, recording->arguments, recording->taken))
        return 1;
    return stencil_fall_back(recording);
}

/* Pending steps have been taken. 0 without memory for what may have to be replayed: then the host has taken them. */
static int stencil_note_pending(stencil_recording *recording)
{
    if (!stencil_note_batch(recording, recording->pending)) {
        stencil_ask(recording, STENCIL_CLOSE, recording->arguments, recording->taken);
        return stencil_fall_back(recording);
    }
    recording->taken += recording->pending;
    recording->pending = 0;
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
    return stencil_note_pending(recording);
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
static STENCIL_UNUSED int stencil_flush(stencil_recording *recording)
{
    stencil_end_steadiness(recording);
    return recording->is_open && stencil_take_pending(recording);
}
