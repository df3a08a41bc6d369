/* Transfers between arrays and buffers, for devices that have a memory of their own. OpenCL moves boxes of up to three
   dimensions from and to the user's arrays itself; of larger arrays it moves a slab after the other. */

/* Waits for a command and tells whether it has come to a good end; gives its event back. Some implementations tell
   nowhere else that it, or a command before it in the queue, has failed on the device. */
static int stencil_has_completed(stencil_session *session, cl_event event, const char *call)
{
    cl_int execution = CL_COMPLETE, waited = clWaitForEvents(1, &event);
    cl_int asked = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof execution, &execution, NULL);
    clReleaseEvent(event);
    return stencil_ok(&session->failure, execution, call) && stencil_ok(&session->failure, waited, "clWaitForEvents") &&
           stencil_ok(&session->failure, asked, "clGetEventInfo");
}

/* Lets the device reach a part of an array without a detour: transfers from and to memory that belongs to a buffer are
   several times as fast on some devices. No command ever uses this buffer, and without it they take longer. */
static void stencil_pin(stencil_session *session, int is_written, void *memory, size_t bytes)
{
    cl_mem *pins = realloc(session->pins, ((size_t)session->pin_count + 1) * sizeof *pins);
    cl_mem_flags access = is_written ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;
    cl_mem pin;
    cl_int status;
    if (!pins)
        return;
    session->pins = pins;
    pin = clCreateBuffer(session->device->context, access | CL_MEM_USE_HOST_PTR, bytes, memory, &status);
    if (pin)
        session->pins[session->pin_count++] = pin;
}

/* Leaves so many of the pins, the first ones. */
static void stencil_unpin_to(stencil_session *session, int count)
{
    while (session->pin_count > count)
        clReleaseMemObject(session->pins[--session->pin_count]);
}

/* No command may be on its way any more. */
static void stencil_unpin(stencil_session *session)
{
    stencil_unpin_to(session, 0);
    free(session->pins);
    session->pins = NULL;
    session->is_staging_pinned = 0;
    if (session->is_pinned)
        memset(session->is_pinned, 0, (size_t)session->call->array_count * sizeof *session->is_pinned);
}

/* Before the host's own code goes on, which may free arrays, unless it frees none as long as there is the session. */
static void stencil_let_go(stencil_session *session)
{
    if (!session->keeps_pins)
        stencil_unpin(session);
}

/* Bytes that one command moves at most where it can be helped: while they are on their way the next ones are pinned.
   And bytes for which pinning pays. */
#ifndef STENCIL_SLAB_BYTES
#define STENCIL_SLAB_BYTES (64LL << 20)
#endif
#ifndef STENCIL_PINNED_BYTES
#define STENCIL_PINNED_BYTES (1LL << 20)
#endif

/* A transfer in progress. */
typedef struct {
    stencil_session *session;
    int array; /* of the call */
    const stencil_placement *placement;
    cl_mem buffer;
    int is_download;
    int dimensions; /* the last ones, that a command can move together */
    cl_event last;  /* null: no command is on its way */
} stencil_transfer;

static const char *stencil_transfer_name(const stencil_transfer *transfer)
{
    return transfer->is_download ? "clEnqueueReadBufferRect" : "clEnqueueWriteBufferRect";
}

/* Whether OpenCL can move rows of this array. Members of structures, among others, are too short for it, and what is around
   them would be pinned. */
static int stencil_has_plain_rows(const stencil_array *array)
{
    return array->stride[array->rank - 1] == 1 && !array->record;
}

/* How many of an array's last dimensions are regular enough for OpenCL: rows do not overlap, nor do planes, which are
   whole numbers of rows apart. */
static int stencil_count_regular(const stencil_array *array)
{
    int rank = array->rank;
    long long row, plane;
    if (rank < 2)
        return 1;
    row = array->stride[rank - 2];
    if (row <= array->used.hi[rank - 1] - array->used.lo[rank - 1])
        return 1;
    if (rank < 3)
        return 2;
    plane = array->stride[rank - 3];
    return plane % row == 0 && plane / row > array->used.hi[rank - 2] - array->used.lo[rank - 2] ? 3 : 2;
}

/* Where a cell is in a buffer, as OpenCL counts, and how many bytes rows and planes are apart. */
static void stencil_find_origin(const stencil_placement *placement, int rank, size_t size, const long long *cell,
                                size_t *origin, size_t *pitch)
{
    size_t all = (size_t)placement->cells * size;
    size_t at = (size_t)(placement->origin + stencil_offset(rank, placement->stride, cell)) * size;
    pitch[0] = rank > 1 ? (size_t)placement->stride[rank - 2] * size : all;
    pitch[1] = rank > 2 ? (size_t)placement->stride[rank - 3] * size : all;
    origin[0] = at % pitch[0];
    origin[1] = at % pitch[1] / pitch[0];
    origin[2] = at / pitch[1];
}

/* Enqueues the transfer of a box, whose extent is one in all but the regular dimensions. */
static int stencil_enqueue_transfer(const stencil_transfer *transfer, const stencil_box *box, cl_event *event)
{
    const stencil_array *array = &transfer->session->call->arrays[transfer->array];
    cl_command_queue queue = transfer->session->device->queue;
    int rank = array->rank, regular = transfer->dimensions;
    size_t size = array->element_size;
    size_t host_row = regular > 1 ? (size_t)array->stride[rank - 2] * size : 0;
    size_t host_plane = regular > 2 ? (size_t)array->stride[rank - 3] * size : 0;
    size_t origin[3], pitch[2], extent[3] = {size, 1, 1}, none[3] = {0, 0, 0};
    char *host = stencil_element(array, box->lo);
    cl_int status;
    stencil_find_origin(transfer->placement, rank, size, box->lo, origin, pitch);
    for (int d = 0; d < regular; d++)
        extent[d] *= (size_t)(box->hi[rank - 1 - d] - box->lo[rank - 1 - d] + 1);
    if (transfer->is_download)
        status = clEnqueueReadBufferRect(queue, transfer->buffer, CL_FALSE, origin, none, extent, pitch[0], pitch[1],
                                         host_row, host_plane, host, 0, NULL, event);
    else
        status = clEnqueueWriteBufferRect(queue, transfer->buffer, CL_FALSE, origin, none, extent, pitch[0], pitch[1],
                                          host_row, host_plane, host, 0, NULL, event);
    return stencil_ok(&transfer->session->failure, status, stencil_transfer_name(transfer));
}

/* Pins the memory of a box that is not empty; memory of two arrays would be pinned twice, which OpenCL leaves undefined. */
static void stencil_pin_box(stencil_session *session, int index, const stencil_box *box)
{
    const stencil_array *array = &session->call->arrays[index];
    long long first, last, size = (long long)array->element_size;
    if (!stencil_is_aliased(session->call, index) && stencil_span(array->rank, array->stride, box, &first, &last) &&
        (last - first + 1) * size >= STENCIL_PINNED_BYTES)
        stencil_pin(session, array->is_written, (char *)array->base + first * size, (size_t)((last - first + 1) * size));
}

/* Whether a box has all elements of an array that the nest uses. */
static int stencil_is_all_of(const stencil_array *array, const stencil_box *box)
{
    for (int d = 0; d < array->rank; d++)
        if (box->lo[d] > array->used.lo[d] || box->hi[d] < array->used.hi[d])
            return 0;
    return 1;
}

/* Waits for the command that is on its way. */
static int stencil_await_transfer(stencil_transfer *transfer)
{
    cl_event last = transfer->last;
    transfer->last = NULL;
    return !last || stencil_has_completed(transfer->session, last, stencil_transfer_name(transfer));
}

/* Sets a slab on its way, pinned before, and waits for the one before it. */
static int stencil_transfer_slab(stencil_transfer *transfer, const stencil_box *slab)
{
    stencil_session *session = transfer->session;
    cl_event event;
    int is_good;
    if (!session->is_pinned[transfer->array])
        stencil_pin_box(session, transfer->array, slab);
    if (!stencil_enqueue_transfer(transfer, slab, &event))
        return 0;
    clFlush(session->device->queue);
    is_good = stencil_await_transfer(transfer);
    transfer->last = event;
    return is_good;
}

/* Moves the slabs of a box whose extent is one in all but the regular dimensions. They begin at the same indices whatever
   the box: what is pinned for one transfer holds the slab of another, and no command meets memory that is pinned in two
   pieces, which is slower than none. */
static int stencil_transfer_slabs(stencil_transfer *transfer, const stencil_box *box)
{
    const stencil_array *array = &transfer->session->call->arrays[transfer->array];
    int outer = array->rank - transfer->dimensions;
    long long bytes = array->stride[outer] * (long long)array->element_size;
    long long thickness = bytes < STENCIL_SLAB_BYTES ? STENCIL_SLAB_BYTES / bytes : 1;
    stencil_box slab = *box;
    while (slab.lo[outer] <= box->hi[outer]) {
        long long rest = thickness - (slab.lo[outer] - array->used.lo[outer]) % thickness;
        long long left = box->hi[outer] - slab.lo[outer] + 1;
        slab.hi[outer] = slab.lo[outer] + (left < rest ? left : rest) - 1;
        if (!stencil_transfer_slab(transfer, &slab))
            return 0;
        slab.lo[outer] = slab.hi[outer] + 1;
    }
    return 1;
}

/* Moves the elements of a box that is not empty; the array has plain rows. Where pins are kept, those of a part are not: other
   parts would be pinned beside them. */
static int stencil_transfer_box(stencil_transfer *transfer, const stencil_box *box)
{
    stencil_session *session = transfer->session;
    const stencil_array *array = &session->call->arrays[transfer->array];
    stencil_box corners = *box, part = *box;
    stencil_row row;
    int is_good = 1, pins = session->pin_count, is_all = stencil_is_all_of(array, box);
    transfer->dimensions = stencil_count_regular(array);
    for (int d = array->rank - transfer->dimensions; d < array->rank - 1; d++)
        corners.hi[d] = corners.lo[d];
    for (int more = stencil_first_row(&row, array->rank, &corners); is_good && more; more = stencil_next_row(&row)) {
        for (int d = 0; d < array->rank - transfer->dimensions; d++)
            part.lo[d] = part.hi[d] = row.cell[d];
        is_good = stencil_transfer_slabs(transfer, &part);
    }
    is_good = stencil_await_transfer(transfer) && is_good;
    if (session->keeps_pins && !is_all)
        stencil_unpin_to(session, pins);
    else
        session->is_pinned[transfer->array] = 1;
    return is_good;
}

/* Moves the elements of a box from an array with plain rows, in one block of memory, to a buffer of a field, or back. */
static int stencil_move_box(stencil_session *session, int field, int array, const stencil_box *box, cl_mem buffer,
                            int is_download)
{
    stencil_transfer transfer = {
        .session = session,
        .array = array,
        .placement = &session->placements[session->call->fields[field].layout],
        .buffer = buffer,
        .is_download = is_download,
    };
    return stencil_is_empty(session->call->arrays[array].rank, box) || stencil_transfer_box(&transfer, box);
}
