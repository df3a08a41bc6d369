/* Transfers of arrays whose rows are found through tables of pointers, for devices that have a memory of their own: rows are
   packed into pinned memory, half of which is on its way while the other half is filled or emptied. */

/* Bytes of a half. */
#ifndef STENCIL_STAGE_BYTES
#define STENCIL_STAGE_BYTES (4LL << 20)
#endif

/* One half, and what is in it. */
typedef struct {
    char *memory;
    cl_event event; /* of its transfer; null: none is on its way */
    stencil_box rows;
} stencil_stage;

/* A transfer in progress. */
typedef struct {
    stencil_session *session;
    const stencil_array *array;
    const stencil_placement *placement;
    cl_mem buffer;
    int is_download;
    stencil_stage halves[2];
    int next; /* half to use */
} stencil_staging;

static const char *stencil_staging_name(const stencil_staging *staging)
{
    return staging->is_download ? "clEnqueueReadBufferRect" : "clEnqueueWriteBufferRect";
}

/* Copies rows from their places into a half, or back. */
static void stencil_pack(const stencil_staging *staging, const stencil_stage *half)
{
    const stencil_array *array = staging->array;
    char *packed = half->memory;
    stencil_row row;
    for (int more = stencil_first_row(&row, array->rank, &half->rows); more; more = stencil_next_row(&row)) {
        size_t bytes = (size_t)row.length * array->element_size;
        char *place = stencil_element(array, row.cell);
        memcpy(staging->is_download ? place : packed, staging->is_download ? packed : place, bytes);
        packed += bytes;
    }
}

/* Waits for what is on its way from or to a half, and brings what came to its rows. */
static int stencil_settle_half(stencil_staging *staging, stencil_stage *half)
{
    cl_event event = half->event;
    half->event = NULL;
    if (!event)
        return 1;
    if (!stencil_has_completed(staging->session, event, stencil_staging_name(staging)))
        return 0;
    if (staging->is_download)
        stencil_pack(staging, half);
    return 1;
}

/* Sets a half on its way. */
static int stencil_enqueue_half(stencil_staging *staging, stencil_stage *half)
{
    const stencil_placement *placement = staging->placement;
    const stencil_box *rows = &half->rows;
    cl_command_queue queue = staging->session->device->queue;
    int inner = staging->array->rank - 1;
    size_t size = staging->array->element_size;
    size_t pitch = (size_t)(inner > 0 ? placement->stride[inner - 1] : placement->cells) * size;
    size_t at = (size_t)(placement->origin + stencil_offset(inner + 1, placement->stride, rows->lo)) * size;
    size_t origin[3] = {at % pitch, at / pitch, 0}, none[3] = {0, 0, 0};
    size_t extent[3] = {(size_t)(rows->hi[inner] - rows->lo[inner] + 1) * size, 1, 1};
    cl_int status;
    if (inner > 0)
        extent[1] = (size_t)(rows->hi[inner - 1] - rows->lo[inner - 1] + 1);
    if (staging->is_download)
        status = clEnqueueReadBufferRect(queue, staging->buffer, CL_FALSE, origin, none, extent, pitch, 0, extent[0], 0,
                                         half->memory, 0, NULL, &half->event);
    else
        status = clEnqueueWriteBufferRect(queue, staging->buffer, CL_FALSE, origin, none, extent, pitch, 0, extent[0], 0,
                                          half->memory, 0, NULL, &half->event);
    if (status != CL_SUCCESS)
        half->event = NULL;
    return stencil_ok(&staging->session->failure, status, stencil_staging_name(staging));
}

/* Moves rows that follow each other in the last dimension but one, are equally long, and fit into a half. */
static int stencil_stage_rows(stencil_staging *staging, const stencil_box *rows)
{
    stencil_stage *half = &staging->halves[staging->next];
    staging->next = !staging->next;
    if (!stencil_settle_half(staging, half))
        return 0;
    half->rows = *rows;
    if (!staging->is_download)
        stencil_pack(staging, half);
    if (!stencil_enqueue_half(staging, half))
        return 0;
    clFlush(staging->session->device->queue);
    return 1;
}

/* Whether the next row lengthens a run of equal ones that still fits into a half. */
static int stencil_continues(const stencil_array *array, const stencil_box *run, const stencil_row *row)
{
    int inner = array->rank - 1;
    long long bytes = row->length * (long long)array->element_size;
    for (int d = 0; d < inner - 1; d++)
        if (row->cell[d] != run->lo[d])
            return 0;
    return inner > 0 && row->cell[inner - 1] == run->hi[inner - 1] + 1 && row->cell[inner] == run->lo[inner] &&
           row->cell[inner] + row->length - 1 == run->hi[inner] &&
           (row->cell[inner - 1] - run->lo[inner - 1] + 1) * bytes <= STENCIL_STAGE_BYTES;
}

/* Moves a run of rows; one row that does not fit into a half goes in pieces. */
static int stencil_stage_run(stencil_staging *staging, const stencil_box *run)
{
    int inner = staging->array->rank - 1;
    long long most = STENCIL_STAGE_BYTES / (long long)staging->array->element_size;
    stencil_box piece = *run;
    for (; piece.lo[inner] <= run->hi[inner]; piece.lo[inner] = piece.hi[inner] + 1) {
        piece.hi[inner] = run->hi[inner] - piece.lo[inner] < most ? run->hi[inner] : piece.lo[inner] + most - 1;
        if (!stencil_stage_rows(staging, &piece))
            return 0;
    }
    return 1;
}

/* Moves the used elements of a box. */
static int stencil_stage_box(stencil_staging *staging, const stencil_box *box)
{
    const stencil_array *array = staging->array;
    int inner = array->rank - 1, has_run = 0, is_good = 1;
    stencil_box run = *box;
    stencil_row row;
    for (int more = stencil_first_array_row(&row, array, box); is_good && more; more = stencil_next_row(&row)) {
        if (has_run && stencil_continues(array, &run, &row)) {
            run.hi[inner - 1]++;
            continue;
        }
        is_good = !has_run || stencil_stage_run(staging, &run);
        has_run = 1;
        memcpy(run.lo, row.cell, sizeof run.lo);
        memcpy(run.hi, row.cell, sizeof run.hi);
        run.hi[inner] += row.length - 1;
    }
    is_good = is_good && (!has_run || stencil_stage_run(staging, &run));
    for (int i = 0; i < 2; i++)
        is_good &= stencil_settle_half(staging, &staging->halves[i]);
    return is_good;
}

/* Memory for both halves, pinned until the session lets the host go on. */
static int stencil_prepare_staging(stencil_session *session)
{
    if (!session->staging)
        session->staging = malloc(2 * STENCIL_STAGE_BYTES);
    if (!session->staging)
        return stencil_no_memory(&session->failure);
    if (!session->is_staging_pinned)
        stencil_pin(session, 1, session->staging, 2 * STENCIL_STAGE_BYTES);
    session->is_staging_pinned = 1;
    return 1;
}

/* Moves the used elements of a box from an array to a buffer of a field, or back. */
static int stencil_move_elements(stencil_session *session, int field, int array, const stencil_box *box, cl_mem buffer,
                                 int is_download)
{
    stencil_staging staging = {
        .session = session,
        .array = &session->call->arrays[array],
        .placement = &session->placements[session->call->fields[field].layout],
        .buffer = buffer,
        .is_download = is_download,
    };
    if (stencil_is_plain(staging.array))
        return stencil_move_box(session, field, array, box, buffer, is_download);
    if (!stencil_prepare_staging(session))
        return 0;
    staging.halves[0].memory = session->staging;
    staging.halves[1].memory = session->staging + STENCIL_STAGE_BYTES;
    return stencil_stage_box(&staging, box);
}
