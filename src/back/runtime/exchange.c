/* Elements on their way between the user's arrays and the slots of an open session. Reading has two parts: fetching, of which any
   may fail while the arrays are what they were, and delivering, after which they are as the slots or lost. */

/* The buffer that has a part's elements. */
static cl_mem stencil_buffer_of(const stencil_session *session, const stencil_result *part)
{
    return stencil_slot_at(session, part->field, 0, part->slot)->current;
}

static const stencil_placement *stencil_placement_of(const stencil_session *session, const stencil_result *part)
{
    return &session->placements[session->call->fields[part->field].layout];
}

/* Maps what a buffer has of a part from its first element to its last; null if that fails. The part is not empty. */
static void *stencil_map_part(stencil_session *session, const stencil_result *part, cl_mem buffer, cl_map_flags flags)
{
    const stencil_placement *placement = stencil_placement_of(session, part);
    int rank = session->call->arrays[part->array].rank;
    size_t size = session->call->fields[part->field].element_size;
    long long first = placement->origin + stencil_offset(rank, placement->stride, part->box.lo);
    long long last = placement->origin + stencil_offset(rank, placement->stride, part->box.hi);
    return stencil_map(session, buffer, flags, (size_t)first * size, (size_t)(last - first + 1) * size);
}

/* Copies the elements of a mapped part to an array, the user's or a copy of it, or from there. */
static void stencil_copy_part(const stencil_session *session, const stencil_result *part, const stencil_array *array,
                              char *mapped, int is_download)
{
    const stencil_placement *placement = stencil_placement_of(session, part);
    long long first = stencil_offset(array->rank, placement->stride, part->box.lo), size = (long long)array->element_size;
    int inner = array->rank - 1;
    stencil_row row;
    for (int more = stencil_first_array_row(&row, array, &part->box); more; more = stencil_next_row(&row)) {
        long long run = part->contains ? 1 : row.length, end = row.cell[inner] + row.length;
        for (; row.cell[inner] < end; row.cell[inner] += run) {
            char *there = mapped + (stencil_offset(array->rank, placement->stride, row.cell) - first) * size;
            char *here = stencil_element(array, row.cell);
            if (part->contains && !part->contains(row.cell, session->call->context))
                continue;
            if (is_download)
                stencil_copy_elements(here, array->stride[inner], there, 1, run, array->element_size);
            else
                stencil_copy_elements(there, 1, here, array->stride[inner], run, array->element_size);
        }
    }
}

/* Whether a part need not be mapped: it goes from or to the user's array as it is. */
static int stencil_is_direct(const stencil_session *session, const stencil_result *part)
{
    return session->is_apart && !session->options.verifies && !part->contains &&
           stencil_has_plain_rows(&session->call->arrays[part->array]);
}

/* Moves a direct part. */
static int stencil_move_part(stencil_session *session, const stencil_result *part, cl_mem buffer, int is_download)
{
    return stencil_move_elements(session, part->field, part->array, &part->box, buffer, is_download);
}

/* Reads the first byte of a buffer: where a kernel has failed on the device, this fails at the latest. */
static int stencil_probe(stencil_session *session, cl_mem buffer)
{
    const size_t origin[3] = {0, 0, 0}, extent[3] = {1, 1, 1};
    char byte;
    cl_event event;
    cl_int status = clEnqueueReadBufferRect(session->device->queue, buffer, CL_TRUE, origin, origin, extent, 0, 0, 0, 0,
                                            &byte, 0, NULL, &event);
    return stencil_ok(&session->failure, status, "clEnqueueReadBufferRect") &&
           stencil_has_completed(session, event, "clEnqueueReadBufferRect");
}

/* Maps a result; 1 if that is done, or it is empty. */
static int stencil_map_result(stencil_session *session, int index)
{
    const stencil_result *result = &session->results[index];
    if (stencil_is_empty(session->call->arrays[result->array].rank, &result->box))
        return 1;
    session->mapped_buffers[index] = stencil_buffer_of(session, result);
    session->mapped[index] = stencil_map_part(session, result, session->mapped_buffers[index], CL_MAP_READ);
    return session->mapped[index] != NULL;
}

/* Waits for the kernels, and maps the results that must be mapped. From here on only the device's memory can fail. */
static int stencil_prepare_results(stencil_session *session)
{
    for (int i = 0; i < session->result_count; i++)
        if (!(stencil_is_direct(session, &session->results[i])
                  ? stencil_probe(session, stencil_buffer_of(session, &session->results[i]))
                  : stencil_map_result(session, i)))
            return 0;
    return 1;
}

/* Copies one mapped result to an array. */
static void stencil_copy_result(const stencil_session *session, int index, const stencil_array *array)
{
    if (session->mapped[index])
        stencil_copy_part(session, &session->results[index], array, session->mapped[index], 1);
}

/* The array that a result belongs to. */
static const stencil_array *stencil_result_array(const stencil_session *session, int index)
{
    return &session->call->arrays[session->results[index].array];
}

/* Brings a direct result to the user's array. What has failed once may succeed another way. */
static int stencil_download(stencil_session *session, int index)
{
    const stencil_result *result = &session->results[index];
    if (stencil_move_part(session, result, stencil_buffer_of(session, result), 1))
        return 1;
    if (!stencil_map_result(session, index))
        return 0;
    stencil_copy_result(session, index, stencil_result_array(session, index));
    return 1;
}

/* Brings all results to the user's arrays. 0 if the device has failed meanwhile. */
static int stencil_commit(stencil_session *session)
{
    int is_complete = 1;
    for (int i = 0; is_complete && i < session->result_count; i++)
        if (stencil_is_direct(session, &session->results[i]))
            is_complete = stencil_download(session, i);
        else
            stencil_copy_result(session, i, stencil_result_array(session, i));
    stencil_let_go(session);
    return is_complete;
}

/* Brings a part of a user's array to one buffer. */
static int stencil_upload_part(stencil_session *session, const stencil_result *part, cl_mem buffer)
{
    cl_int status;
    void *mapped;
    if (stencil_is_direct(session, part))
        return stencil_move_part(session, part, buffer, 0);
    if (stencil_is_empty(session->call->arrays[part->array].rank, &part->box))
        return 1;
    mapped = stencil_map_part(session, part, buffer, CL_MAP_READ | CL_MAP_WRITE);
    if (!mapped)
        return 0;
    stencil_copy_part(session, part, &session->call->arrays[part->array], mapped, 0);
    status = clEnqueueUnmapMemObject(session->device->queue, buffer, mapped, 0, NULL, NULL);
    return stencil_ok(&session->failure, status, "clEnqueueUnmapMemObject");
}

/* Brings a part of a user's array to its slot: to both buffers, where cells that no kernel writes must be the same. */
static int stencil_replace_part(stencil_session *session, const stencil_result *part)
{
    const stencil_slot *slot = stencil_slot_at(session, part->field, 0, part->slot);
    return stencil_upload_part(session, part, slot->current) &&
           (!slot->other || stencil_upload_part(session, part, slot->other));
}

/* Ends the mappings of what was read. */
static void stencil_unmap_results(stencil_session *session)
{
    for (int i = 0; session->mapped && i < session->result_count; i++)
        if (session->mapped[i])
            clEnqueueUnmapMemObject(session->device->queue, session->mapped_buffers[i], session->mapped[i], 0, NULL, NULL);
    session->result_count = 0;
}
