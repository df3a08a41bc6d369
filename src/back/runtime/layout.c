/* Where cells are in device buffers, and whether the buffers fit. */

/* Elements of a layout that start at a multiple of 64 bytes in the buffers of each of its fields. */
static long long stencil_alignment(const stencil_call *call, int layout)
{
    size_t smallest = 64;
    for (int i = 0; i < call->field_count; i++)
        if (call->fields[i].layout == layout && call->fields[i].element_size < smallest)
            smallest = call->fields[i].element_size;
    return 64 % smallest == 0 ? (long long)(64 / smallest) : 64;
}

/* Cells behind the tiled box that kernels of a plan may touch in a dimension. Tiles that are not cut end where the last one
   does. */
static long long stencil_margin_behind(const stencil_call *call, const stencil_plan *plan, int dimension)
{
    long long hi = call->tiled.hi[dimension], cells = 0;
    for (int k = 0; k < plan->kernel_count && call->tiled.lo[dimension] <= hi; k++) {
        const stencil_kernel *kernel = &plan->kernels[k];
        long long extent = kernel->tile[dimension], end;
        if (kernel->levels == 0 || kernel->is_cut[dimension])
            continue;
        end = stencil_tile_lo(call, kernel, dimension) + stencil_tiles(call, kernel, dimension, extent) * extent - 1;
        if (end - hi > cells)
            cells = end - hi;
    }
    return cells + plan->margin_hi[dimension];
}

/* Cells of a row of the box before the one that is aligned. Tiles store whole segments of memory when their cores start
   with one, so layout 0, which they store to, is aligned where they start: 2 to 7 % faster on an NVIDIA H200 in three
   dimensions. Direct kernels were up to a quarter slower so; for them rows are aligned where the box starts. */
static long long stencil_lead(const stencil_call *call, const stencil_plan *plan, int layout, int dimension)
{
    if (layout > 0 || plan->kernels[0].levels == 0 || call->tiled.lo[dimension] > call->tiled.hi[dimension])
        return 0;
    return call->tiled.lo[dimension] - call->layouts[layout].box.lo[dimension];
}

/* Whether rows follow each other without a margin between them, so that the last cells of one row are the margin of the next.
   Kernels may load cells of margins, but use none. Tiles at the ends of rows then find the halo of two rows in one line of
   the cache: in three dimensions kernels were 2 to 9 % faster on an NVIDIA H200. Caches of CPUs suffer from rows that are a
   power of two apart, which margins avoid; and a check of kernels sees more with margins. */
static int stencil_shares_margins(const stencil_plan *plan)
{
    return plan->is_gpu && !STENCIL_POISON;
}

/* Places a layout: rows are padded so that a cell of each row is aligned, the first one of the box or of the tiles.

   Example: doubles, box [0, 31] with margins of 2 and 3 in the last dimension, tiled box [1, 30]. Aligned are multiples of
   8 elements, so the margin becomes 7 cells. With margins of their own rows have 7 + 32 + 3 = 42 cells, padded to 48;
   with shared ones 32, and 7 + 3 more are at both ends of the buffer. Cell 1 is element 8 of its row. */
static int stencil_place(const stencil_call *call, const stencil_plan *plan, int index, stencil_placement *placement)
{
    const stencil_layout *layout = &call->layouts[index];
    int has_margins = layout->rank == call->rank, inner = layout->rank - 1;
    long long alignment = stencil_alignment(call, index), size = 1, ends = 0;
    placement->origin = placement->reach = 0;
    for (int d = inner; d >= 0; d--) {
        long long before = 0, after = 0, extent, margins, corner, reach;
        if (has_margins) {
            before = plan->margin_lo[d];
            after = stencil_margin_behind(call, plan, d);
        }
        if (d == inner) {
            long long lead = has_margins ? stencil_lead(call, plan, index, d) % alignment : 0;
            if (!stencil_round_up(before + lead, alignment, &before))
                return 0;
            before -= lead;
        }
        if (!stencil_extent(layout->box.lo[d], layout->box.hi[d], &extent) ||
            !stencil_multiply(before + after, size, &margins))
            return 0;
        if (stencil_shares_margins(plan) ? !stencil_add(ends, margins, &ends)
                                         : !stencil_add(extent, before + after, &extent))
            return 0;
        if (d == inner && !stencil_round_up(extent > 0 ? extent : 1, alignment, &extent))
            return 0;
        placement->stride[d] = size;
        if (!stencil_subtract(before, layout->box.lo[d], &corner) ||
            !stencil_add(2 * llabs(corner), extent, &reach) || !stencil_add(reach, before + after, &reach) ||
            !stencil_multiply(reach, size, &reach) || !stencil_add(placement->reach, reach, &placement->reach) ||
            !stencil_multiply(corner, size, &corner) || !stencil_add(placement->origin, corner, &placement->origin) ||
            !stencil_multiply(size, extent > 0 ? extent : 1, &size))
            return 0;
    }
    /* Whole rows, which commands that move boxes ask for. */
    return stencil_add(size, ends, &size) &&
           stencil_round_up(size, inner > 0 ? placement->stride[inner - 1] : alignment, &placement->cells);
}

static int stencil_place_layouts(stencil_session *session)
{
    for (int i = 0; i < session->call->layout_count; i++)
        if (!stencil_place(session->call, session->plan, i, &session->placements[i]))
            return stencil_fail(&session->failure, "the arrays are too large");
    return 1;
}

/* Whether kernels must compute positions as long. An int takes one instruction of a GPU where a long takes two to four: its
   kernels are up to 8 % faster. CPUs' compilers would extend it before every access. Half of the range is left for
   positions of cells beside the buffers, which kernels compute and do not use. */
static int stencil_needs_long_positions(const stencil_session *session)
{
    for (int i = 0; i < session->call->layout_count; i++)
        if (session->placements[i].reach > INT_MAX / 2)
            return 1;
    return !session->plan->is_gpu;
}

/* Bytes of one buffer of a field. */
static int stencil_buffer_bytes(const stencil_session *session, int field, long long *bytes)
{
    const stencil_field *described = &session->call->fields[field];
    return stencil_multiply(session->placements[described->layout].cells, (long long)described->element_size, bytes) &&
           (unsigned long long)*bytes <= SIZE_MAX / 2;
}

/* Whether all buffers fit into the device's memory, after it is known which slots need two. */
static int stencil_check_memory(stencil_session *session)
{
    const stencil_device *device = session->device;
    long long total = 0, bytes;
    for (int i = 0; i < session->call->field_count; i++) {
        const stencil_field *field = &session->call->fields[i];
        if (!stencil_buffer_bytes(session, i, &bytes))
            return stencil_fail(&session->failure, "array %s is too large", field->name);
        if ((unsigned long long)bytes > device->buffer_bytes)
            return stencil_fail_detailed(&session->failure, "an array is larger than any buffer of the device",
                                         "%s: %.1f MB, at most %.1f MB", field->name, 1e-6 * (double)bytes,
                                         1e-6 * (double)device->buffer_bytes);
        for (int s = 0; s < field->slots; s++) {
            int buffers = 1 + stencil_slots_of(session, i)[s].needs_other;
            while (buffers-- > 0)
                if (!stencil_add(total, bytes, &total))
                    return stencil_fail(&session->failure, "the arrays are too large");
        }
    }
    session->bytes = total;
    if ((unsigned long long)total > device->global_bytes)
        return stencil_fail_detailed(&session->failure, "the device has too little memory", "%.1f MB are needed of %.1f MB",
                                     1e-6 * (double)total, 1e-6 * (double)device->global_bytes);
    return 1;
}
