/* What the host stores between steps: rows, columns and boxes that its text shows. README.md has the states. */

/* Where cells of an array are on the device. */
typedef struct {
    const stencil_call *call;
    stencil_result *parts; /* null: they are counted */
    int count;
    int is_shared;         /* something else that counts is there, too */
} stencil_whereabouts;

static int stencil_meets_box(int rank, const stencil_box *a, const stencil_box *b)
{
    stencil_box both = stencil_intersect(rank, a, b);
    return !stencil_is_empty(rank, &both);
}

/* Whether a box is one that a nest stores of an array. */
static int stencil_is_stored_box(const stencil_call *call, int array, const stencil_box *box)
{
    for (int i = 0; i < call->result_count; i++) {
        const stencil_result *result = &call->results[i];
        if (result->array == array && !result->contains && stencil_is_inside(call->arrays[array].rank, box, &result->box))
            return 1;
    }
    return 0;
}

/* Adds a slot that has a box of an array. What it has there of other arrays counts if a nest has left it there, or if none writes it. */
static void stencil_add_whereabouts(stencil_whereabouts *all, stencil_result part)
{
    const stencil_call *call = all->call;
    const stencil_field *field = &call->fields[part.field];
    int rank = call->arrays[part.array].rank, slot = stencil_floor_mod(part.slot, field->slots), other = field->initial[slot];
    part.contains = NULL;
    for (int i = 0; i < call->result_count; i++) {
        const stencil_result *result = &call->results[i];
        if (result->array != part.array && result->field == part.field &&
            stencil_floor_mod(result->slot, field->slots) == slot && stencil_meets_box(rank, &result->box, &part.box))
            all->is_shared = 1;
    }
    if (other >= 0 && other != part.array && !stencil_is_stored_box(call, other, &part.box))
        all->is_shared = 1;
    if (all->parts)
        all->parts[all->count] = part;
    all->count++;
}

/* Adds the slots that have cells of an array which no kernel writes: all that begin with it. */
static void stencil_add_unwritten(stencil_whereabouts *all, int array, const stencil_box *box)
{
    const stencil_call *call = all->call;
    for (int i = 0; i < call->field_count; i++) {
        int rank = call->layouts[call->fields[i].layout].rank;
        for (int s = 0; s < call->fields[i].slots; s++) {
            stencil_result part = {.array = array, .field = i, .slot = s};
            if (call->fields[i].initial[s] != array)
                continue;
            part.box = stencil_intersect(rank, box, &call->layouts[call->fields[i].layout].box);
            if (!stencil_is_empty(rank, &part.box))
                stencil_add_whereabouts(all, part);
        }
    }
}

/* Adds all that have cells of an array, from result number `from` on: those that the nest writes are where it has left them. */
static void stencil_find_whereabouts(stencil_whereabouts *all, int array, stencil_box box, int from)
{
    const stencil_call *call = all->call;
    int rank = call->arrays[array].rank;
    stencil_result part;
    while (from < call->result_count &&
           !(call->results[from].array == array && stencil_meets_box(rank, &call->results[from].box, &box)))
        from++;
    if (from == call->result_count) {
        stencil_add_unwritten(all, array, &box);
        return;
    }
    part = call->results[from];
    all->is_shared |= part.contains != NULL;
    part.box = stencil_intersect(rank, &part.box, &box);
    stencil_add_whereabouts(all, part);
    for (int d = 0; d < rank; d++) {
        stencil_box before = box, behind = box;
        before.hi[d] = part.box.lo[d] - 1;
        behind.lo[d] = part.box.hi[d] + 1;
        box.lo[d] = part.box.lo[d];
        box.hi[d] = part.box.hi[d];
        if (before.lo[d] <= before.hi[d])
            stencil_find_whereabouts(all, array, before, from + 1);
        if (behind.lo[d] <= behind.hi[d])
            stencil_find_whereabouts(all, array, behind, from + 1);
    }
}

/* The user's arrays with boxes of what is wanted of them, none of them empty; null without memory. */
static stencil_result *stencil_touched_parts(const stencil_recording *recording, const stencil_call *call, int *count)
{
    stencil_result *parts = calloc((size_t)call->array_count + 1, sizeof *parts);
    *count = 0;
    for (int i = 0; parts && i < call->array_count; i++) {
        stencil_result part = {.array = i, .box = call->arrays[i].used};
        if (call->arrays[i].room || stencil_is_wheel(recording, i) || stencil_is_empty(call->arrays[i].rank, &part.box))
            continue;
        stencil_narrow(recording, call, &call->arrays[i], &part.box);
        if (!stencil_is_empty(call->arrays[i].rank, &part.box))
            parts[(*count)++] = part;
    }
    return parts;
}

/* Whether something of the arrays is wanted, or nobody can say. */
static int stencil_touches(const stencil_recording *recording, const stencil_call *call)
{
    int count;
    stencil_call all = stencil_with_later_steps(recording, call);
    stencil_result *parts = stencil_touched_parts(recording, &all, &count);
    int touches = !parts || count > 0;
    free(parts);
    return touches;
}

/* Whether the device can take what the host stores in these parts: each of their cells is in slots of its own. */
static int stencil_may_store(const stencil_call *call, const stencil_result *parts, int count)
{
    stencil_whereabouts all = {.call = call};
    for (int i = 0; i < call->array_count; i++)
        all.is_shared |= (call->arrays[i].is_scratch && !call->arrays[i].room) || call->alias_count > 0;
    for (int i = 0; i < count; i++) {
        const stencil_array *array = &call->arrays[parts[i].array];
        all.is_shared |= array->is_assumed || array->is_looked_at || array->is_history;
        stencil_find_whereabouts(&all, parts[i].array, parts[i].box, 0);
    }
    return !all.is_shared;
}

/* Makes room for what the host will store. 0 without memory. */
static int stencil_expect_stored(stencil_recording *recording, const stencil_call *call, const stencil_result *parts, int count)
{
    for (int i = 0; i < count; i++)
        if (!stencil_add_aside(&recording->stored, call, &parts[i]))
            return 0;
    return 1;
}

/* Whether what the host has stored is so little that it pays to remember it. */
static int stencil_is_worth_noting(stencil_recording *recording, const stencil_call *call, const stencil_result *parts, int count)
{
    double all = 0, more = (double)recording->stored_bytes;
    for (int i = 0; i < call->result_count; i++)
        all += stencil_bytes_of(&call->arrays[call->results[i].array], &call->results[i].box);
    for (int i = 0; i < count; i++)
        more += stencil_bytes_of(&call->arrays[parts[i].array], &parts[i].box);
    return more <= all / 2 && stencil_is_worth_keeping(recording, call, parts, count);
}

/* The results in boxes of parts: all that is in these goes to the device when the host has stored; null without memory. */
static stencil_result *stencil_results_within(const stencil_call *call, const stencil_result *parts, int count, int *found)
{
    stencil_result *results = malloc(((size_t)call->result_count * (size_t)count + 1) * sizeof *results);
    *found = 0;
    for (int i = 0; results && i < call->result_count; i++)
        for (int k = 0; k < count; k++) {
            stencil_result result = call->results[i];
            int rank = call->arrays[result.array].rank;
            if (result.array != parts[k].array)
                continue;
            result.box = stencil_intersect(rank, &result.box, &parts[k].box);
            if (!stencil_is_empty(rank, &result.box))
                results[(*found)++] = result;
        }
    return results;
}

/* Brings what the host will store in, and keeps aside what was there. 2 if all must be brought. */
static int stencil_bring_stored(stencil_recording *recording, stencil_work *work, const stencil_call *call,
                                const stencil_result *parts, int count, stencil_turn *turn)
{
    int wanted_count, answer = 2;
    stencil_result *wanted;
    if (recording->delivered == recording->taken)
        return 1;
    if (!stencil_is_worth_noting(recording, call, parts, count) || !stencil_keep_aside(recording, call, parts, count))
        return 2;
    wanted = stencil_results_within(work->call, parts, count, &wanted_count);
    if (wanted)
        answer = wanted_count == 0 ? 1 : stencil_bring(recording, work, wanted, wanted_count, 0, turn);
    free(wanted);
    return answer;
}

/* Prepares for what the host will store in the part that is wanted. 2 if all must be brought before, 3 if the session must be closed. */
static int stencil_prepare_store(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    int count, answer = 3;
    stencil_call call = stencil_with_later_steps(recording, work->call);
    stencil_result *parts = stencil_touched_parts(recording, &call, &count);
    if (parts && stencil_may_store(&call, parts, count))
        answer = stencil_bring_stored(recording, work, &call, parts, count, turn);
    if (answer == 1 && !stencil_expect_stored(recording, &call, parts, count))
        answer = 3;
    free(parts);
    return answer;
}

/* Brings what the host has stored to the device. */
static int stencil_take_over_stored(stencil_recording *recording, stencil_work *work, stencil_turn *turn)
{
    stencil_session *session = &work->session;
    stencil_call call = stencil_with_later_steps(recording, work->call);
    stencil_whereabouts all = {.call = &call};
    int is_good;
    for (const stencil_aside *part = recording->stored; part; part = part->before)
        stencil_find_whereabouts(&all, part->array, part->box, 0);
    all.parts = malloc((size_t)(all.count + 1) * sizeof *all.parts);
    all.count = 0;
    for (const stencil_aside *part = recording->stored; all.parts && part; part = part->before)
        stencil_find_whereabouts(&all, part->array, part->box, 0);
    stencil_enter(session);
    session->call = &call;
    is_good = all.parts ? stencil_write(session, all.parts, all.count) : stencil_no_memory(&session->failure);
    session->call = work->call;
    session->last_open = NULL;
    free(all.parts);
    return stencil_leave_with(recording, work, is_good, 1, turn);
}
