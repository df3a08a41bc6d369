/* What the sessions of a chain have for each other. A session takes arrays over from those before it, as they are on the device:
   from one of these an array as it was before that one's steps, if it has it, else from the host; and then what the steps of that
   one and of all later ones have made of it. Tables of a recording are there only while its driver's `act` runs, so each is
   asked in turn. */

/* What is asked for. */
struct stencil_wanted {
    stencil_wish wish;
    stencil_session *session;   /* that asks; null where only what is covered is of interest */
    const stencil_array *array; /* of its call */
    int field;                  /* that gets the array, */
    cl_mem buffer;              /* in this buffer */
    int covered_count;
    stencil_result *covered;    /* what later ones have changed: these boxes, */
    stencil_array *changed;     /* of these arrays */
};

/* A buffer that cells are copied from or to. */
typedef struct {
    cl_mem buffer;
    const stencil_placement *placement;
} stencil_copied;

/* Copies the cells of a box from one buffer of the device to another; the box is not empty. */
static int stencil_copy_cells(stencil_session *session, stencil_copied from, stencil_copied to, int rank,
                              size_t size, const stencil_box *box)
{
    stencil_box corners = *box;
    size_t extent[3] = {size, 1, 1};
    stencil_row row;
    cl_int status = CL_SUCCESS;
    for (int d = 0; d < 3 && d < rank; d++) {
        extent[d] *= (size_t)(box->hi[rank - 1 - d] - box->lo[rank - 1 - d] + 1);
        corners.hi[rank - 1 - d] = corners.lo[rank - 1 - d];
    }
    for (int more = stencil_first_row(&row, rank, &corners); status == CL_SUCCESS && more; more = stencil_next_row(&row)) {
        size_t from_origin[3], to_origin[3], from_pitch[2], to_pitch[2];
        stencil_find_origin(from.placement, rank, size, row.cell, from_origin, from_pitch);
        stencil_find_origin(to.placement, rank, size, row.cell, to_origin, to_pitch);
        status = clEnqueueCopyBufferRect(session->device->queue, from.buffer, to.buffer, from_origin, to_origin, extent,
                                         from_pitch[0], from_pitch[1], to_pitch[0], to_pitch[1], 0, NULL, NULL);
    }
    return stencil_ok(&session->failure, status, "clEnqueueCopyBufferRect");
}

/* The cells of the wanted array that its buffer has. */
static stencil_box stencil_wanted_cells(const stencil_wanted *wanted)
{
    const stencil_call *call = wanted->session->call;
    const stencil_layout *layout = &call->layouts[call->fields[wanted->field].layout];
    return stencil_intersect(layout->rank, &wanted->array->used, &layout->box);
}

/* Copies cells from a slot of a field to the wanted buffer; what it has not is left out. */
static int stencil_lend_cells(const stencil_session *lender, int field, const stencil_slot *slot, const stencil_wanted *wanted,
                              const stencil_box *cells)
{
    const stencil_session *session = wanted->session;
    stencil_copied from = {slot->current, &lender->placements[lender->call->fields[field].layout]};
    stencil_copied to = {wanted->buffer, &session->placements[session->call->fields[wanted->field].layout]};
    stencil_box all = stencil_wanted_cells(wanted), box = stencil_intersect(wanted->array->rank, &all, cells);
    if (stencil_is_empty(wanted->array->rank, &box))
        return 1;
    return stencil_copy_cells(wanted->session, from, to, wanted->array->rank, wanted->array->element_size, &box);
}

/* Whether two arrays, not of one call, may have bytes in common. */
static int stencil_may_overlap(const stencil_array *a, const stencil_array *b)
{
    uintptr_t a_begin, a_end, b_begin, b_end;
    if (stencil_is_empty(a->rank, &a->used) || stencil_is_empty(b->rank, &b->used))
        return 0;
    return !stencil_is_plain(a) || !stencil_is_plain(b) || !stencil_find_bytes(a, &a_begin, &a_end) ||
           !stencil_find_bytes(b, &b_begin, &b_end) ||
           (a_begin < b_end && b_begin < a_end && !stencil_are_other_members(a, b));
}

/* Whether an array is one of a call's: its elements are in no other of them. */
static int stencil_is_among(const stencil_call *call, const stencil_array *array)
{
    for (int i = 0; i < call->array_count; i++)
        if (!call->arrays[i].room && stencil_is_one_array(&call->arrays[i], array))
            return 1;
    return 0;
}

/* Whether a session can lend all that it knows of an array, if it knows anything; 2: it cannot. */
static int stencil_may_lend(const stencil_call *call, const stencil_array *wanted)
{
    int is_among = stencil_is_among(call, wanted);
    for (int i = 0; i < call->result_count; i++) {
        const stencil_result *result = &call->results[i];
        const stencil_array *array = &call->arrays[result->array];
        int is_it = stencil_is_one_array(array, wanted);
        if (array->room || stencil_is_empty(array->rank, &result->box) || (is_among ? !is_it : !stencil_may_overlap(array, wanted)))
            continue;
        if (!is_it || result->contains || wanted->is_looked_at)
            return 2;
    }
    return 1;
}

/* Whether all that is written to the buffers of a field are the results of an array, if it has any. */
static int stencil_writes_results_alone(const stencil_call *call, int field, const stencil_array *wanted)
{
    stencil_box all = stencil_empty_box(), own = all;
    for (int i = 0; i < call->result_count; i++) {
        const stencil_result *result = &call->results[i];
        if (result->field != field || stencil_is_empty(call->rank, &result->box))
            continue;
        all = stencil_hull(all, result->box, wanted->rank);
        if (stencil_is_one_array(&call->arrays[result->array], wanted))
            own = result->box;
    }
    for (int i = 0; i < call->array_count; i++)
        if (call->arrays[i].is_scratch && call->arrays[i].is_written && !call->arrays[i].room)
            return !call->fields[field].is_written; /* what it gets is no result */
    return !call->fields[field].is_written ||
           (!stencil_is_empty(wanted->rank, &own) && stencil_is_inside(wanted->rank, &all, &own));
}

/* Whether all that a nest uses of an array in these cells is among what another one has of it: rows may be shorter than its box. */
static int stencil_has_rows(const stencil_array *array, const stencil_array *wanted, const stencil_box *cells)
{
    int inner = array->rank - 1, has_all = 1;
    stencil_row row;
    if (!array->row)
        return 1;
    for (int more = stencil_first_array_row(&row, wanted, cells); has_all && more; more = stencil_next_row(&row)) {
        long long lo, hi;
        has_all = array->row(row.cell, &lo, &hi, array->context) && lo <= row.cell[inner] &&
                  row.cell[inner] + row.length - 1 <= hi;
    }
    return has_all;
}

/* Lends an array as it was before the session's own steps, but for what they change of it. 2 if it is not there. */
static int stencil_lend_all(const stencil_session *lender, const stencil_wanted *wanted)
{
    const stencil_call *call = lender->call;
    stencil_box cells = stencil_wanted_cells(wanted);
    for (int f = 0; f < call->field_count; f++)
        for (int s = 0; s < call->fields[f].slots; s++) {
            int initial = call->fields[f].initial[s];
            const stencil_array *array = initial < 0 ? NULL : &call->arrays[initial];
            stencil_box held;
            if (!array || array->room || !stencil_is_one_array(array, wanted->array) ||
                !stencil_writes_results_alone(call, f, array))
                continue;
            held = stencil_intersect(array->rank, &array->used, &call->layouts[call->fields[f].layout].box);
            if (stencil_is_inside(array->rank, &cells, &held) && stencil_has_rows(array, wanted->array, &cells))
                return stencil_lend_cells(lender, f, &stencil_slots_of(lender, f)[s], wanted, &cells);
        }
    return 2;
}

/* Lends what the session's steps have made of an array. */
static int stencil_lend_changes(const stencil_session *lender, const stencil_wanted *wanted)
{
    const stencil_call *call = lender->call;
    int is_good = 1;
    for (int i = 0; is_good && i < call->result_count; i++) {
        const stencil_result *result = &call->results[i];
        const stencil_array *array = &call->arrays[result->array];
        if (!array->room && stencil_is_one_array(array, wanted->array))
            is_good = stencil_lend_cells(lender, result->field, stencil_slot_at(lender, result->field, 0, result->slot), wanted,
                                         &result->box);
    }
    return is_good;
}

/* Whether later sessions have changed all of a result. */
static int stencil_is_covered(const stencil_wanted *wanted, const stencil_array *array, const stencil_result *result)
{
    if (stencil_is_empty(array->rank, &result->box))
        return 1;
    for (int i = 0; i < wanted->covered_count; i++)
        if (stencil_is_one_array(&wanted->changed[i], array) &&
            stencil_is_inside(array->rank, &result->box, &wanted->covered[i].box))
            return 1;
    return 0;
}

/* Adds a result to what is covered; without memory it is not. */
static void stencil_cover(stencil_wanted *wanted, const stencil_array *array, const stencil_result *result)
{
    size_t count = (size_t)wanted->covered_count + 1;
    stencil_result *covered = realloc(wanted->covered, count * sizeof *covered);
    stencil_array *changed;
    if (!covered)
        return;
    wanted->covered = covered;
    changed = realloc(wanted->changed, count * sizeof *changed);
    if (!changed)
        return;
    wanted->changed = changed;
    covered[count - 1] = *result;
    changed[count - 1] = *array;
    wanted->covered_count++;
}

/* Covers a session's results for those before it. 2 if later ones have covered them all. */
static int stencil_cover_results(const stencil_call *call, stencil_wanted *wanted)
{
    int is_covered = 1;
    for (int i = 0; i < call->result_count; i++) {
        const stencil_array *array = &call->arrays[call->results[i].array];
        if (array->room || stencil_is_covered(wanted, array, &call->results[i]))
            continue;
        is_covered = 0;
        if (!call->results[i].contains)
            stencil_cover(wanted, array, &call->results[i]);
    }
    return is_covered ? 2 : 1;
}

/* Does what is asked of a session that others have followed. */
static int stencil_lend(stencil_recording *recording, const stencil_call *call)
{
    stencil_wanted *wanted = recording->chain->wanted;
    switch (wanted->wish) {
    case STENCIL_WHETHER:
        return stencil_may_lend(call, wanted->array);
    case STENCIL_ALL:
        return stencil_lend_all(&recording->work->session, wanted);
    case STENCIL_CHANGES:
        return stencil_lend_changes(&recording->work->session, wanted);
    default:
        return stencil_cover_results(call, wanted);
    }
}

/* Lets the driver make the tables of a call of so many steps since the first, and the runtime do what is asked with them. */
static int stencil_ask(stencil_recording *recording, stencil_request request, const void *arguments, long long steps)
{
    recording->request = request;
    return recording->act(recording, arguments, steps);
}

/* Asks one of those before for something. One without a session has nothing that later ones have not. */
static int stencil_ask_past(stencil_chain *chain, int index, stencil_wanted *wanted, stencil_wish wish)
{
    stencil_recording *past = &chain->past[index];
    if (!past->work)
        return 2;
    chain->wanted = wanted;
    wanted->wish = wish;
    return stencil_ask(past, STENCIL_LEND, past->arguments, past->taken);
}

/* A session is not needed any more. */
static void stencil_close_past(stencil_recording *past)
{
    if (past->work)
        stencil_ask(past, STENCIL_CLOSE, past->arguments, past->taken);
}

/* Whether a call can take over all that those before it know of its arrays. */
static int stencil_may_borrow(stencil_chain *chain, const stencil_call *call)
{
    stencil_wanted wanted;
    memset(&wanted, 0, sizeof wanted);
    for (int i = 0; i < call->array_count; i++)
        for (int p = 0; !call->arrays[i].room && p < chain->past_count; p++) {
            wanted.array = &call->arrays[i];
            if (chain->past[p].work && stencil_ask_past(chain, p, &wanted, STENCIL_WHETHER) != 1)
                return 0;
        }
    return 1;
}

/* Fills a buffer with an array as it is after all that those before have done. */
static int stencil_borrow(stencil_session *session, int field, int index, cl_mem buffer)
{
    stencil_chain *chain = session->chain;
    int from = chain->past_count, is_good;
    stencil_wanted wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.session = session;
    wanted.array = &session->call->arrays[index];
    wanted.field = field;
    wanted.buffer = buffer;
    session->has_borrowed = 1;
    is_good = stencil_clear_buffer(session, field, buffer);
    for (int answer = 2; is_good && from > 0 && answer == 2;) {
        answer = stencil_ask_past(chain, --from, &wanted, STENCIL_ALL);
        is_good = answer != 0;
        if (answer == 2 && from == 0)
            is_good = stencil_upload(session, field, index, buffer);
    }
    for (int p = from; is_good && p < chain->past_count; p++)
        is_good = stencil_ask_past(chain, p, &wanted, STENCIL_CHANGES) != 0;
    return is_good;
}
