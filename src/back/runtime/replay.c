/* What is known of the steps that ran, so that the host can take them in a device's place by the driver's own text. */

/* Steps that ran with the same scalars, or what the host has stored between steps. */
struct stencil_batch {
    long long count;
    void *arguments;       /* of the recording's first step, but for the scalars */
    stencil_aside *stored; /* null: steps */
};

/* Forgets what has been brought to the arrays. */
static void stencil_drop_batches(stencil_recording *recording)
{
    for (int i = 0; i < recording->batch_count; i++) {
        free(recording->batches[i].arguments);
        stencil_free_asides(recording->batches[i].stored);
    }
    free(recording->batches);
    recording->batches = NULL;
    recording->batch_count = 0;
    recording->stored_bytes = 0;
}

/* Makes room for one more. 0 without memory. */
static int stencil_give_batch(stencil_recording *recording)
{
    stencil_batch *more = realloc(recording->batches, (size_t)(recording->batch_count + 1) * sizeof *more);
    if (!more)
        return 0;
    recording->batches = more;
    memset(&more[recording->batch_count], 0, sizeof *more);
    return 1;
}

/* Notes that so many steps have run with the present scalars. 0 without memory. */
static int stencil_note_batch(stencil_recording *recording, long long count)
{
    stencil_batch *last = recording->batch_count ? &recording->batches[recording->batch_count - 1] : NULL;
    if (last && !last->stored && memcmp(last->arguments, recording->arguments, recording->size) == 0) {
        last->count += count;
        return 1;
    }
    if (!stencil_give_batch(recording))
        return 0;
    last = &recording->batches[recording->batch_count];
    last->count = count;
    last->arguments = malloc(recording->size);
    if (!last->arguments)
        return 0;
    memcpy(last->arguments, recording->arguments, recording->size);
    recording->batch_count++;
    return 1;
}

/* The host has stored where it said. What is there now comes behind the steps so far, if the host may have to take these. */
static void stencil_note_stored(stencil_recording *recording)
{
    if (!recording->stored || recording->delivered == recording->taken) {
        stencil_drop_stored(recording);
        return;
    }
    for (const stencil_aside *part = recording->stored; part; part = part->before) {
        stencil_copy_aside(part, 0);
        recording->stored_bytes += part->bytes;
    }
    recording->batches[recording->batch_count].stored = recording->stored; /* there is room for it */
    recording->batches[recording->batch_count++].count = 0;
    recording->stored = NULL;
}

/* Nothing is recorded any more: the arrays are what they should be. */
static void stencil_forget_recording(stencil_recording *recording)
{
    stencil_drop_batches(recording);
    stencil_drop_asides(recording);
    stencil_drop_stored(recording);
    stencil_drop_wheels(recording);
    stencil_drop_listed(recording);
    for (int i = 0; i < recording->room_count; i++) {
        free(recording->rooms[i].ahead);
        recording->rooms[i].ahead = NULL;
        if (recording->legs)
            continue; /* what points of a step in progress give stays */
        free(recording->rooms[i].memory);
        recording->rooms[i].memory = NULL;
        recording->rooms[i].size = 0;
    }
    recording->is_open = recording->brings_all = recording->has_no_previews = recording->ahead = 0;
    recording->taken = recording->pending = recording->delivered = recording->steady = recording->last_steady = 0;
    recording->is_near = 0;
}

/* Steps of a recording that others have followed cannot be taken on the host. */
static void stencil_end_without_room(void)
{
    fprintf(stderr, "out of host memory, which the steps need that the device has not taken\n");
    stencil_end_program();
}

/* Gives an array of the driver's own its memory, which holds what it held as long as something is recorded. 0 without
   memory: it has none then. */
static STENCIL_UNUSED int stencil_give_room(stencil_recording *recording, int number, stencil_array *array)
{
    stencil_room *room = &recording->rooms[number];
    long long first, last;
    array->base = NULL;
    if (recording->request == STENCIL_LEND || recording->request == STENCIL_FETCH || recording->request == STENCIL_PUT)
        return 1; /* nobody looks at them */
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
    if (!room->memory && recording->request == STENCIL_REPLAY)
        stencil_end_without_room();
    return array->base != NULL;
}

/* What the device has combined is not what the points give now. */
static void stencil_forget_combined(stencil_recording *recording)
{
    for (int i = 0; i < recording->room_count; i++)
        recording->rooms[i].combined.is_known = 0;
}

/* Folds what the host has of the last step; if it knows that nearly, what is not known in full. */
static void stencil_fold_here(stencil_recording *recording, long long steps)
{
    recording->folds_again = recording->is_near || recording->told == STENCIL_NEARLY;
    stencil_ask(recording, STENCIL_FOLD, recording->arguments, steps);
    recording->owes_values = recording->is_near = 0;
}

/* Folds what the points of the next leg give that the host knows nothing of, if it folds anything. */
static void stencil_fold_leg(stencil_recording *recording, long long steps)
{
    recording->folded_leg = recording->told_legs++;
    recording->told = STENCIL_TOLD;
    if (recording->telling_legs >> recording->folded_leg & 1)
        stencil_fold_here(recording, steps);
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

/* Takes steps on the host, or stores what it has stored between them. */
static void stencil_replay_batch(stencil_recording *recording, const stencil_batch *batch)
{
    for (const stencil_aside *part = batch->stored; part; part = part->before)
        stencil_copy_aside(part, 1);
    if (!batch->stored)
        stencil_replay(recording, batch->arguments, batch->count);
}
