/* A check of kernels, for drivers built with -D STENCIL_POISON=pattern, e.g. 0x7ff4dead7fb4deadu, a NaN in both
   precisions. What no array fills holds the pattern instead of zero, so that a result that depends on it differs. After
   the launches every cell that no sweep computes must hold what it held before them: cells of margins, padding, borders,
   and whole fields that are only read. */

#if STENCIL_POISON

static int stencil_is_computed(const stencil_work *work, const stencil_field *field, const stencil_sweep *sweep)
{
    return field->is_written && sweep->rank == work->call->layouts[field->layout].rank;
}

/* What a slot's buffers hold before the first launch; the host's arrays still have their first contents. */
static void stencil_expect_slot(const stencil_work *work, const stencil_field *field, int slot, char *expected,
                                size_t bytes)
{
    if (field->initial[slot] < 0)
        stencil_fill_unused(expected, 0, bytes);
    else
        stencil_fill_mapped(&work->call->arrays[field->initial[slot]], &work->call->layouts[field->layout],
                            &work->placements[field->layout], expected);
}

/* Takes over the cells that sweeps compute, whose values are not checked here. */
static void stencil_accept_computed(const stencil_work *work, const stencil_field *field, char *expected,
                                    const char *actual)
{
    const stencil_placement *placement = &work->placements[field->layout];
    for (int i = 0; i < work->call->sweep_count; i++) {
        const stencil_sweep *sweep = &work->call->sweeps[i];
        stencil_row row;
        if (!stencil_is_computed(work, field, sweep))
            continue;
        for (int more = stencil_first_row(&row, sweep->rank, &sweep->domain); more; more = stencil_next_row(&row)) {
            long long at = placement->origin + stencil_offset(sweep->rank, placement->stride, row.cell);
            memcpy(expected + (size_t)at * field->element_size, actual + (size_t)at * field->element_size,
                   (size_t)row.length * field->element_size);
        }
    }
}

/* Compares one buffer of a slot; `expected` has room for it. */
static int stencil_check_buffer(stencil_work *work, const stencil_field *field, int slot, cl_mem buffer, char *expected,
                                size_t bytes)
{
    cl_int status;
    size_t i = 0;
    char *actual = clEnqueueMapBuffer(work->device->queue, buffer, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &status);
    if (!stencil_ok(&work->failure, status, "clEnqueueMapBuffer"))
        return 0;
    stencil_expect_slot(work, field, slot, expected, bytes);
    stencil_accept_computed(work, field, expected, actual);
    while (i < bytes && expected[i] == actual[i])
        i++;
    status = clEnqueueUnmapMemObject(work->device->queue, buffer, actual, 0, NULL, NULL);
    if (i < bytes)
        return stencil_fail(&work->failure, "a kernel changed byte %lld of %lld of slot %d of field %s, which no sweep "
                            "computes", (long long)i, (long long)bytes, slot, field->name);
    return stencil_ok(&work->failure, status, "clEnqueueUnmapMemObject");
}

static int stencil_check_slot(stencil_work *work, int field, int index)
{
    const stencil_field *described = &work->call->fields[field];
    const stencil_slot *slot = &work->slots[field * STENCIL_MAX_SLOTS + index];
    long long bytes = 0;
    int is_good;
    char *expected = stencil_buffer_bytes(work, field, &bytes) ? malloc((size_t)bytes) : NULL;
    if (!expected)
        return stencil_no_memory(&work->failure);
    is_good = stencil_check_buffer(work, described, index, slot->current, expected, (size_t)bytes) &&
              (!slot->other || stencil_check_buffer(work, described, index, slot->other, expected, (size_t)bytes));
    free(expected);
    return is_good;
}

static int stencil_check_poison(stencil_work *work)
{
    for (int i = 0; i < work->call->field_count; i++)
        for (int s = 0; s < work->call->fields[i].slots; s++)
            if (!stencil_check_slot(work, i, s))
                return 0;
    if (work->options.is_verbose)
        fprintf(stderr, "%s: %s: poison: only cells of sweeps have changed\n", work->region->where, work->region->name);
    return 1;
}

#else

static int stencil_check_poison(stencil_work *work)
{
    (void)work;
    return 1;
}

#endif
