/* A check of kernels, for drivers built with -D STENCIL_POISON=pattern, e.g. 0x7ff4dead7fb4deadu, a NaN in both
   precisions. What no array fills holds the pattern instead of zero, so that a result that depends on it differs. After
   the launches every cell that no sweep computes must hold what it held before them: cells of margins, padding, borders,
   and whole fields that are only read. */

#if STENCIL_POISON

static int stencil_is_computed(const stencil_session *session, const stencil_field *field, const stencil_sweep *sweep)
{
    return field->is_written && sweep->rank == session->call->layouts[field->layout].rank;
}

/* What a slot's buffers hold before the first launch; the host's arrays still have their first contents. */
static void stencil_expect_slot(const stencil_session *session, const stencil_field *field, int slot, char *expected,
                                size_t bytes)
{
    int initial = stencil_first_contents(session, (int)(field - session->call->fields), slot);
    if (initial < 0)
        stencil_fill_unused(expected, 0, bytes);
    else
        stencil_fill_mapped(&session->call->arrays[initial], &session->call->layouts[field->layout],
                            &session->placements[field->layout], expected);
}

/* Takes over the cells that sweeps compute, whose values are not checked here; cells of other fields may not be here. */
static void stencil_accept_computed(const stencil_session *session, const stencil_field *field, char *expected,
                                    const char *actual, size_t bytes)
{
    const long long count = (long long)(bytes / field->element_size);
    const stencil_placement *placement = &session->placements[field->layout];
    for (int i = 0; i < session->call->sweep_count; i++) {
        const stencil_sweep *sweep = &session->call->sweeps[i];
        stencil_row row;
        if (!stencil_is_computed(session, field, sweep))
            continue;
        for (int more = stencil_first_row(&row, sweep->rank, &sweep->domain); more; more = stencil_next_row(&row)) {
            long long at = placement->origin + stencil_offset(sweep->rank, placement->stride, row.cell);
            if (at >= 0 && at + row.length <= count)
                memcpy(expected + (size_t)at * field->element_size, actual + (size_t)at * field->element_size,
                       (size_t)row.length * field->element_size);
        }
    }
}

/* Compares one buffer of a slot; `expected` has room for it. */
static int stencil_check_buffer(stencil_session *session, const stencil_field *field, int slot, cl_mem buffer, char *expected,
                                size_t bytes)
{
    cl_int status;
    size_t i = 0;
    char *actual = clEnqueueMapBuffer(session->device->queue, buffer, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &status);
    if (!stencil_ok(&session->failure, status, "clEnqueueMapBuffer"))
        return 0;
    stencil_expect_slot(session, field, slot, expected, bytes);
    stencil_accept_computed(session, field, expected, actual, bytes);
    while (i < bytes && expected[i] == actual[i])
        i++;
    status = clEnqueueUnmapMemObject(session->device->queue, buffer, actual, 0, NULL, NULL);
    if (i < bytes)
        return stencil_fail(&session->failure, "a kernel changed byte %lld of %lld of slot %d of field %s, which no sweep "
                            "computes", (long long)i, (long long)bytes, slot, field->name);
    return stencil_ok(&session->failure, status, "clEnqueueUnmapMemObject");
}

static int stencil_check_slot(stencil_session *session, int field, int index)
{
    const stencil_field *described = &session->call->fields[field];
    const stencil_slot *slot = &stencil_slots_of(session, field)[index];
    long long bytes = 0;
    int is_good;
    char *expected = stencil_buffer_bytes(session, field, &bytes) ? malloc((size_t)bytes) : NULL;
    if (!expected)
        return stencil_no_memory(&session->failure);
    is_good = stencil_check_buffer(session, described, index, slot->current, expected, (size_t)bytes) &&
              (!slot->other || stencil_check_buffer(session, described, index, slot->other, expected, (size_t)bytes));
    free(expected);
    return is_good;
}

/* Before anything is read from the session or written to it. Of what other nests have left on the device the host has nothing
   to compare. */
static int stencil_check_poison(stencil_session *session)
{
    if (session->has_borrowed)
        return 1;
    for (int i = 0; i < session->call->field_count; i++)
        for (int s = 0; s < session->call->fields[i].slots; s++)
            if (!stencil_check_slot(session, i, s))
                return 0;
    if (session->options.is_verbose)
        fprintf(stderr, "%s: %s: poison: only cells of sweeps have changed\n", session->nest->where, session->nest->name);
    stencil_spend(session, STENCIL_OTHER);
    return 1;
}

#else

static int stencil_check_poison(stencil_session *session)
{
    (void)session;
    return 1;
}

#endif
