/* Device memory of a session: buffers and their first contents. Memory that the host shares is mapped; of a device that has its
   own only what `transfer.c` cannot move. */

static int stencil_create_buffer(stencil_session *session, int field, cl_mem *buffer)
{
    long long bytes = 0;
    cl_int status = CL_INVALID_BUFFER_SIZE;
    if (stencil_buffer_bytes(session, field, &bytes))
        *buffer = clCreateBuffer(session->device->context, CL_MEM_READ_WRITE, (size_t)bytes, NULL, &status);
    return stencil_ok(&session->failure, status, "clCreateBuffer");
}

/* Bytes from `first` to before `end` of a buffer that begins at `buffer`. */
static void stencil_fill_unused(char *buffer, size_t first, size_t end)
{
    const cl_ulong pattern = STENCIL_POISON;
    if (pattern == 0)
        memset(buffer + first, 0, end - first);
    else
        for (size_t i = first; i < end; i++)
            buffer[i] = ((const char *)&pattern)[i % sizeof pattern];
}

/* Writes a whole buffer front to back: the array's elements, and the pattern wherever it has none. */
static void stencil_fill_mapped(const stencil_array *array, const stencil_layout *layout,
                                const stencil_placement *placement, char *to)
{
    stencil_box box = stencil_intersect(layout->rank, &array->used, &layout->box);
    size_t size = array->element_size;
    long long inner = array->stride[layout->rank - 1], filled = 0;
    stencil_row row;
    for (int more = stencil_first_array_row(&row, array, &box); more; more = stencil_next_row(&row)) {
        long long at = placement->origin + stencil_offset(layout->rank, placement->stride, row.cell);
        stencil_fill_unused(to, (size_t)filled * size, (size_t)at * size);
        stencil_copy_elements(to + (size_t)at * size, 1, stencil_element(array, row.cell), inner,
                              row.length, size);
        filled = at + row.length;
    }
    stencil_fill_unused(to, (size_t)filled * size, (size_t)placement->cells * size);
}

/* Waits for all commands before and maps a part of a buffer; null on failure. */
static void *stencil_map(stencil_session *session, cl_mem buffer, cl_map_flags flags, size_t offset, size_t bytes)
{
    cl_event event;
    cl_int status;
    void *mapped = clEnqueueMapBuffer(session->device->queue, buffer, CL_TRUE, flags, offset, bytes, 0, NULL, &event,
                                      &status);
    if (!stencil_ok(&session->failure, status, "clEnqueueMapBuffer"))
        return NULL;
    if (stencil_has_completed(session, event, "clEnqueueMapBuffer"))
        return mapped;
    clEnqueueUnmapMemObject(session->device->queue, buffer, mapped, 0, NULL, NULL);
    return NULL;
}

/* Fills a buffer through a mapping of the whole. */
static int stencil_upload_mapped(stencil_session *session, int field, const stencil_array *array, cl_mem buffer)
{
    int layout = session->call->fields[field].layout;
    long long bytes = 0;
    cl_int status;
    void *to;
    if (!stencil_buffer_bytes(session, field, &bytes))
        return stencil_ok(&session->failure, CL_INVALID_BUFFER_SIZE, "clEnqueueMapBuffer");
    to = stencil_map(session, buffer, CL_MAP_WRITE_INVALIDATE_REGION, 0, (size_t)bytes);
    if (!to)
        return 0;
    stencil_fill_mapped(array, &session->call->layouts[layout], &session->placements[layout], to);
    status = clEnqueueUnmapMemObject(session->device->queue, buffer, to, 0, NULL, NULL);
    return stencil_ok(&session->failure, status, "clEnqueueUnmapMemObject");
}

static int stencil_copy_buffer(stencil_session *session, int field, cl_mem from, cl_mem to)
{
    long long bytes = 0;
    cl_int status = CL_INVALID_BUFFER_SIZE;
    if (stencil_buffer_bytes(session, field, &bytes))
        status = clEnqueueCopyBuffer(session->device->queue, from, to, 0, 0, (size_t)bytes, 0, NULL, NULL);
    return stencil_ok(&session->failure, status, "clEnqueueCopyBuffer");
}

static int stencil_clear_buffer(stencil_session *session, int field, cl_mem buffer)
{
    const cl_ulong pattern = STENCIL_POISON;
    long long bytes = 0;
    cl_int status = CL_INVALID_BUFFER_SIZE;
    if (stencil_buffer_bytes(session, field, &bytes))
        status = clEnqueueFillBuffer(session->device->queue, buffer, &pattern, sizeof pattern, 0, (size_t)bytes, 0, NULL,
                                     NULL);
    return stencil_ok(&session->failure, status, "clEnqueueFillBuffer");
}

/* Fills a buffer with an array as the host has it. */
static int stencil_upload(stencil_session *session, int field, int index, cl_mem buffer)
{
    const stencil_array *array = &session->call->arrays[index];
    const stencil_layout *layout = &session->call->layouts[session->call->fields[field].layout];
    stencil_box box = stencil_intersect(array->rank, &array->used, &layout->box);
    if (!session->is_apart || !stencil_has_plain_rows(array))
        return stencil_upload_mapped(session, field, array, buffer);
    return stencil_clear_buffer(session, field, buffer) && stencil_move_elements(session, field, index, &box, buffer, 0);
}

static int stencil_borrow(stencil_session *session, int field, int index, cl_mem buffer);

/* First contents of a slot: from the host, from another nest that has left them on the device, or from an earlier slot that holds the same array. */
static int stencil_fill_slot(stencil_session *session, int field, int slot)
{
    const stencil_slot *slots = stencil_slots_of(session, field);
    int is_history = session->call->fields[field].span > 0, initial = stencil_first_contents(session, field, slot);
    /* Of a row that is written as a whole nothing else is read. */
    if (initial < 0)
        return (is_history && !STENCIL_POISON) || stencil_clear_buffer(session, field, slots[slot].current);
    for (int earlier = 0; !is_history && earlier < slot; earlier++)
        if (stencil_first_contents(session, field, earlier) == initial)
            return stencil_copy_buffer(session, field, slots[earlier].current, slots[slot].current);
    return session->chain ? stencil_borrow(session, field, initial, slots[slot].current)
                          : stencil_upload(session, field, initial, slots[slot].current);
}

/* Makes the other buffer of a slot if it needs one. A cell that no kernel writes must be the same in both. */
static int stencil_create_other(stencil_session *session, int field, stencil_slot *slot)
{
    return !slot->needs_other || slot->other ||
           (stencil_create_buffer(session, field, &slot->other) &&
            stencil_copy_buffer(session, field, slot->current, slot->other));
}

/* The same for all slots. */
static int stencil_create_others(stencil_session *session)
{
    for (int i = 0; i < session->call->field_count; i++)
        for (int s = 0; s < session->call->fields[i].slots; s++)
            if (!stencil_create_other(session, i, &stencil_slots_of(session, i)[s]))
                return 0;
    return 1;
}

/* Makes and fills all buffers of a field. */
static int stencil_create_field(stencil_session *session, int field)
{
    for (int s = 0; s < session->call->fields[field].slots; s++) {
        stencil_slot *slot = &stencil_slots_of(session, field)[s];
        if (!stencil_create_buffer(session, field, &slot->current) || !stencil_fill_slot(session, field, s) ||
            !stencil_create_other(session, field, slot))
            return 0;
    }
    return 1;
}

static int stencil_create_fields(stencil_session *session)
{
    for (int i = 0; i < session->call->field_count; i++)
        if (!stencil_create_field(session, i))
            return 0;
    return !session->options.is_verbose ||
           stencil_ok(&session->failure, clFinish(session->device->queue), "clFinish");
}

/* Gives all device memory of the session back. */
static void stencil_release_memory(stencil_session *session)
{
    if (!session->slots)
        return;
    /* A command that nobody can wait for may still use this memory: it is given up. */
    if (clFinish(session->device->queue) != CL_SUCCESS)
        session->staging = NULL;
    stencil_unpin(session);
    for (int i = 0; i < stencil_count_slots(session->call, session->call->field_count); i++) {
        if (session->slots[i].current)
            clReleaseMemObject(session->slots[i].current);
        if (session->slots[i].other)
            clReleaseMemObject(session->slots[i].other);
    }
    if (session->parts)
        clReleaseMemObject(session->parts);
    session->parts = NULL;
    if (session->scratch)
        clReleaseMemObject(session->scratch);
    session->scratch = NULL;
    for (int i = 0; i < session->held_count; i++)
        if (session->held[i])
            clReleaseMemObject(session->held[i]);
    session->held_count = 0;
}
