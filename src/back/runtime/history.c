/* Arrays that keep a row for each time step. On the device each row is a slot of its own: a launch leaves what all of its steps
   have computed, and no slot is used again. A session sees a call in which every row is an array and a result of its own.

   Example: 4 steps of `h[t + 1][i] = f(h[t][i])` have the slots 0 to 4. Slot 0 holds row 0 at first; rows 1 to 4 are results. */

/* Each row is a buffer of the device. */
enum { STENCIL_MOST_ROWS = 1 << 20 };

/* A row of a history. */
static stencil_array stencil_row_array(const stencil_array *history, long long row)
{
    const size_t others = STENCIL_MAX_RANK - 1;
    const long long unit = (long long)(history->is_pointer[0] ? sizeof(void *) : history->element_size);
    stencil_array array = *history;
    array.is_history = 0;
    array.rank--;
    array.base = (void *)((uintptr_t)history->base + (uintptr_t)(row * history->stride[0] * unit));
    array.is_behind_pointer = history->is_pointer[0];
    array.used = stencil_without_rows(history->used);
    /* Rows behind pointers have one dimension. */
    if (history->row && !history->row(&row, &array.used.lo[0], &array.used.hi[0], history->context))
        array.used.hi[0] = array.used.lo[0] - 1;
    array.row = NULL;
    if (row < history->used.lo[0] || row > history->used.hi[0])
        array.used.hi[0] = array.used.lo[0] - 1;
    memmove(array.stride, array.stride + 1, others * sizeof array.stride[0]);
    memmove(array.is_pointer, array.is_pointer + 1, others * sizeof array.is_pointer[0]);
    return array;
}

/* An array of a session's call among `arrays`, which are those of the original call or copies of them. */
static stencil_array stencil_array_among(const stencil_session *session, int index, const stencil_array *arrays)
{
    const stencil_expansion *expansion = session->expansion;
    for (int i = 0; expansion && i < expansion->call.field_count; i++) {
        const stencil_field *field = &expansion->fields[i];
        int row = index - expansion->first_row[i];
        if (field->span > 0 && row >= 0 && row < field->slots)
            return stencil_row_array(&arrays[field->history], row);
    }
    return arrays[index];
}

/* The array whose elements a slot holds at first; -1: they do not matter. */
static int stencil_first_contents(const stencil_session *session, int field, int slot)
{
    const stencil_field *described = &session->call->fields[field];
    const stencil_array *row;
    int index;
    if (described->span == 0)
        return described->initial[slot];
    index = session->expansion->first_row[field] + slot;
    row = &session->call->arrays[index];
    return (described->held >= 0 && slot >= described->held) || stencil_is_empty(row->rank, &row->used) ? -1 : index;
}

/* Gives the fields of histories a slot for each row. */
static int stencil_expand_fields(stencil_expansion *expansion, const stencil_call *call, stencil_failure *failure)
{
    long long count = call->array_count;
    for (int i = 0; i < call->field_count; i++) {
        stencil_field *field = &expansion->fields[i];
        if (field->span == 0)
            continue;
        if (call->steps > STENCIL_MOST_ROWS - field->span)
            return stencil_fail(failure, "array %s has too many rows", field->name);
        field->slots = (int)call->steps + field->span - 1;
        expansion->first_row[i] = (int)count;
        count += field->slots;
        if (count > INT_MAX / 2)
            return stencil_fail(failure, "the arrays have too many rows");
    }
    expansion->call.array_count = (int)count;
    return 1;
}

/* Adds the rows to the arrays. */
static void stencil_expand_arrays(stencil_expansion *expansion, const stencil_call *call)
{
    memcpy(expansion->arrays, call->arrays, (size_t)call->array_count * sizeof *call->arrays);
    for (int i = 0; i < call->field_count; i++)
        for (int s = 0; expansion->fields[i].span > 0 && s < expansion->fields[i].slots; s++)
            expansion->arrays[expansion->first_row[i] + s] =
                stencil_row_array(&call->arrays[expansion->fields[i].history], s);
}

/* Adds the results, those of a history row by row. */
static void stencil_expand_results(stencil_expansion *expansion, const stencil_call *call)
{
    int count = 0;
    for (int i = 0; i < call->result_count; i++) {
        const stencil_result *result = &call->results[i];
        if (expansion->fields[result->field].span == 0)
            expansion->results[count++] = *result;
        else
            for (long long row = result->box.lo[0]; row <= result->box.hi[0]; row++)
                expansion->results[count++] = (stencil_result){
                    .array = expansion->first_row[result->field] + (int)row,
                    .field = result->field,
                    .slot = (int)row,
                    .box = stencil_without_rows(result->box),
                    .contains = result->contains,
                };
    }
    expansion->call.result_count = count;
}

static void stencil_release_expansion(stencil_expansion *expansion)
{
    if (!expansion)
        return;
    free(expansion->arrays);
    free(expansion->fields);
    free(expansion->results);
    free(expansion->first_row);
    free(expansion);
}

static int stencil_has_history(const stencil_call *call)
{
    for (int i = 0; i < call->field_count; i++)
        if (call->fields[i].span > 0)
            return 1;
    return 0;
}

/* Lets the session see the rows of histories, if there are any. */
static int stencil_expand_histories(stencil_session *session)
{
    const stencil_call *call = session->call;
    stencil_expansion *expansion;
    if (!stencil_has_history(call))
        return 1;
    expansion = session->expansion = calloc(1, sizeof *expansion);
    if (!expansion)
        return stencil_no_memory(&session->failure);
    expansion->call = *call;
    expansion->fields = calloc((size_t)call->field_count, sizeof *expansion->fields);
    expansion->first_row = calloc((size_t)call->field_count, sizeof *expansion->first_row);
    if (!expansion->fields || !expansion->first_row)
        return stencil_no_memory(&session->failure);
    memcpy(expansion->fields, call->fields, (size_t)call->field_count * sizeof *call->fields);
    if (!stencil_expand_fields(expansion, call, &session->failure))
        return 0;
    expansion->arrays = calloc((size_t)expansion->call.array_count, sizeof *expansion->arrays);
    expansion->results = calloc((size_t)(expansion->call.array_count + call->result_count), sizeof *expansion->results);
    if (!expansion->arrays || !expansion->results)
        return stencil_no_memory(&session->failure);
    stencil_expand_arrays(expansion, call);
    stencil_expand_results(expansion, call);
    expansion->call.arrays = expansion->arrays;
    expansion->call.fields = expansion->fields;
    expansion->call.results = expansion->results;
    session->call = &expansion->call;
    return 1;
}
