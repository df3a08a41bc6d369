/* Device memory of a call: buffers, their first contents, and what they hold at the end. Memory that the host shares is
   mapped; of a device that has its own only what `transfer.c` cannot move. */

static int stencil_create_buffer(stencil_work *work, int field, cl_mem *buffer)
{
    long long bytes = 0;
    cl_int status = CL_INVALID_BUFFER_SIZE;
    if (stencil_buffer_bytes(work, field, &bytes))
        *buffer = clCreateBuffer(work->device->context, CL_MEM_READ_WRITE, (size_t)bytes, NULL, &status);
    return stencil_ok(&work->failure, status, "clCreateBuffer");
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
    for (int more = stencil_first_row(&row, layout->rank, &box); more; more = stencil_next_row(&row)) {
        long long at = placement->origin + stencil_offset(layout->rank, placement->stride, row.cell);
        stencil_fill_unused(to, (size_t)filled * size, (size_t)at * size);
        stencil_copy_elements(to + (size_t)at * size, 1, stencil_element(array, array->base, row.cell), inner,
                              row.length, size);
        filled = at + row.length;
    }
    stencil_fill_unused(to, (size_t)filled * size, (size_t)placement->cells * size);
}

/* Waits for all commands before and maps a part of a buffer; null on failure. */
static void *stencil_map(stencil_work *work, cl_mem buffer, cl_map_flags flags, size_t offset, size_t bytes)
{
    cl_event event;
    cl_int status;
    void *mapped = clEnqueueMapBuffer(work->device->queue, buffer, CL_TRUE, flags, offset, bytes, 0, NULL, &event,
                                      &status);
    if (!stencil_ok(&work->failure, status, "clEnqueueMapBuffer"))
        return NULL;
    if (stencil_has_completed(work, event, "clEnqueueMapBuffer"))
        return mapped;
    clEnqueueUnmapMemObject(work->device->queue, buffer, mapped, 0, NULL, NULL);
    return NULL;
}

/* Fills a buffer through a mapping of the whole. */
static int stencil_upload_mapped(stencil_work *work, int field, const stencil_array *array, cl_mem buffer)
{
    int layout = work->call->fields[field].layout;
    long long bytes = 0;
    cl_int status;
    void *to;
    if (!stencil_buffer_bytes(work, field, &bytes))
        return stencil_ok(&work->failure, CL_INVALID_BUFFER_SIZE, "clEnqueueMapBuffer");
    to = stencil_map(work, buffer, CL_MAP_WRITE_INVALIDATE_REGION, 0, (size_t)bytes);
    if (!to)
        return 0;
    stencil_fill_mapped(array, &work->call->layouts[layout], &work->placements[layout], to);
    status = clEnqueueUnmapMemObject(work->device->queue, buffer, to, 0, NULL, NULL);
    return stencil_ok(&work->failure, status, "clEnqueueUnmapMemObject");
}

static int stencil_copy_buffer(stencil_work *work, int field, cl_mem from, cl_mem to)
{
    long long bytes = 0;
    cl_int status = CL_INVALID_BUFFER_SIZE;
    if (stencil_buffer_bytes(work, field, &bytes))
        status = clEnqueueCopyBuffer(work->device->queue, from, to, 0, 0, (size_t)bytes, 0, NULL, NULL);
    return stencil_ok(&work->failure, status, "clEnqueueCopyBuffer");
}

static int stencil_clear_buffer(stencil_work *work, int field, cl_mem buffer)
{
    const cl_ulong pattern = STENCIL_POISON;
    long long bytes = 0;
    cl_int status = CL_INVALID_BUFFER_SIZE;
    if (stencil_buffer_bytes(work, field, &bytes))
        status = clEnqueueFillBuffer(work->device->queue, buffer, &pattern, sizeof pattern, 0, (size_t)bytes, 0, NULL,
                                     NULL);
    return stencil_ok(&work->failure, status, "clEnqueueFillBuffer");
}

/* Moves an array's elements to a buffer that holds the pattern. */
static int stencil_upload_directly(stencil_work *work, int field, int index, cl_mem buffer)
{
    const stencil_array *array = &work->call->arrays[index];
    int layout = work->call->fields[field].layout;
    stencil_box box = stencil_intersect(array->rank, &array->used, &work->call->layouts[layout].box);
    stencil_transfer transfer = {
        .work = work, .array = index, .placement = &work->placements[layout], .buffer = buffer};
    return stencil_is_empty(array->rank, &box) || stencil_transfer_box(&transfer, &box);
}

static int stencil_upload(stencil_work *work, int field, int index, cl_mem buffer)
{
    const stencil_array *array = &work->call->arrays[index];
    if (!work->is_apart || !stencil_has_plain_rows(array))
        return stencil_upload_mapped(work, field, array, buffer);
    return stencil_clear_buffer(work, field, buffer) && stencil_upload_directly(work, field, index, buffer);
}

/* First contents of a slot: from the host, or from an earlier slot that holds the same array. */
static int stencil_fill_slot(stencil_work *work, int field, int slot)
{
    const int *initial = work->call->fields[field].initial;
    const stencil_slot *slots = &work->slots[field * STENCIL_MAX_SLOTS];
    if (initial[slot] < 0)
        return stencil_clear_buffer(work, field, slots[slot].current);
    for (int earlier = 0; earlier < slot; earlier++)
        if (initial[earlier] == initial[slot])
            return stencil_copy_buffer(work, field, slots[earlier].current, slots[slot].current);
    return stencil_upload(work, field, initial[slot], slots[slot].current);
}

/* Makes and fills all buffers of a field. A cell that no kernel writes must be the same in both buffers of a slot. */
static int stencil_create_field(stencil_work *work, int field)
{
    for (int s = 0; s < work->call->fields[field].slots; s++) {
        stencil_slot *slot = &work->slots[field * STENCIL_MAX_SLOTS + s];
        if (!stencil_create_buffer(work, field, &slot->current) || !stencil_fill_slot(work, field, s))
            return 0;
        if (slot->needs_other && (!stencil_create_buffer(work, field, &slot->other) ||
                                  !stencil_copy_buffer(work, field, slot->current, slot->other)))
            return 0;
    }
    return 1;
}

static int stencil_create_fields(stencil_work *work)
{
    double start = stencil_now();
    for (int i = 0; i < work->call->field_count; i++)
        if (!stencil_create_field(work, i))
            return 0;
    if (work->options.is_verbose && !stencil_ok(&work->failure, clFinish(work->device->queue), "clFinish"))
        return 0;
    work->upload_seconds = stencil_now() - start;
    return 1;
}

/* Maps the part of a slot's buffer that holds a result; `mapped` is the result's first element. */
static int stencil_map_result(stencil_work *work, int index)
{
    const stencil_result *result = &work->call->results[index];
    const stencil_field *field = &work->call->fields[result->field];
    const stencil_placement *placement = &work->placements[field->layout];
    int rank = work->call->layouts[field->layout].rank;
    long long first, last;
    cl_mem buffer = stencil_slot_at(work, result->field, 0, result->slot)->current;
    if (stencil_is_empty(rank, &result->box))
        return 1;
    first = placement->origin + stencil_offset(rank, placement->stride, result->box.lo);
    last = placement->origin + stencil_offset(rank, placement->stride, result->box.hi);
    work->mapped_buffers[index] = buffer;
    work->mapped[index] = stencil_map(work, buffer, CL_MAP_READ, (size_t)first * field->element_size,
                                      (size_t)(last - first + 1) * field->element_size);
    return work->mapped[index] != NULL;
}

/* Whether a result need not be mapped: it goes to the user's array as it is. */
static int stencil_is_direct(const stencil_work *work, int index)
{
    const stencil_result *result = &work->call->results[index];
    return work->is_apart && !work->options.verifies && !result->contains &&
           stencil_has_plain_rows(&work->call->arrays[result->array]);
}

/* Moves a direct result to the user's array. */
static int stencil_download_directly(stencil_work *work, int index)
{
    const stencil_result *result = &work->call->results[index];
    stencil_transfer transfer = {
        .work = work,
        .array = result->array,
        .placement = &work->placements[work->call->fields[result->field].layout],
        .buffer = stencil_slot_at(work, result->field, 0, result->slot)->current,
        .is_download = 1,
    };
    return stencil_is_empty(work->call->arrays[result->array].rank, &result->box) ||
           stencil_transfer_box(&transfer, &result->box);
}

/* Reads the first byte of a buffer: where a kernel has failed on the device, this fails at the latest. */
static int stencil_probe(stencil_work *work, cl_mem buffer)
{
    const size_t origin[3] = {0, 0, 0}, extent[3] = {1, 1, 1};
    char byte;
    cl_event event;
    cl_int status = clEnqueueReadBufferRect(work->device->queue, buffer, CL_TRUE, origin, origin, extent, 0, 0, 0, 0, &byte,
                                            0, NULL, &event);
    return stencil_ok(&work->failure, status, "clEnqueueReadBufferRect") &&
           stencil_has_completed(work, event, "clEnqueueReadBufferRect");
}

/* Waits for the kernels, and maps the results that must be mapped. From here on only the device's memory can fail. */
static int stencil_prepare_results(stencil_work *work)
{
    for (int i = 0; i < work->call->result_count; i++) {
        int field = work->call->results[i].field, slot = work->call->results[i].slot;
        if (!(stencil_is_direct(work, i) ? stencil_probe(work, stencil_slot_at(work, field, 0, slot)->current)
                                         : stencil_map_result(work, i)))
            return 0;
    }
    return 1;
}

/* Address on the host of a cell of a mapped result. */
static const char *stencil_mapped_element(const stencil_work *work, int index, const long long *cell)
{
    const stencil_result *result = &work->call->results[index];
    const stencil_field *field = &work->call->fields[result->field];
    const stencil_placement *placement = &work->placements[field->layout];
    int rank = work->call->layouts[field->layout].rank;
    long long offset = stencil_offset(rank, placement->stride, cell) -
                       stencil_offset(rank, placement->stride, result->box.lo);
    return (const char *)work->mapped[index] + offset * (long long)field->element_size;
}

/* Gives all device memory of the call back. */
static void stencil_release_memory(stencil_work *work)
{
    if (!work->slots)
        return;
    for (int i = 0; work->mapped && i < work->call->result_count; i++)
        if (work->mapped[i])
            clEnqueueUnmapMemObject(work->device->queue, work->mapped_buffers[i], work->mapped[i], 0, NULL, NULL);
    clFinish(work->device->queue);
    stencil_unpin(work);
    for (int i = 0; i < work->call->field_count * STENCIL_MAX_SLOTS; i++) {
        if (work->slots[i].current)
            clReleaseMemObject(work->slots[i].current);
        if (work->slots[i].other)
            clReleaseMemObject(work->slots[i].other);
    }
}
