/* Into how many tiles, and of what extent, a launch divides the tiled box, and the NDRange that it has for them. */

/* First cell of the first tile's core in a dimension. */
static long long stencil_tile_lo(const stencil_call *call, const stencil_kernel *kernel, int dimension)
{
    return call->tiled.lo[dimension] + kernel->rim_lo[dimension];
}

static long long stencil_divide_up(long long cells, long long extent)
{
    return (cells + extent - 1) / extent;
}

/* Tiles of an extent that cover the tiled box in a dimension; it is not empty. */
static long long stencil_tiles(const stencil_call *call, const stencil_kernel *kernel, int dimension, long long extent)
{
    long long cells = call->tiled.hi[dimension] - kernel->rim_hi[dimension] - stencil_tile_lo(call, kernel, dimension) + 1;
    return cells > extent ? stencil_divide_up(cells, extent) : 1;
}

/* Tiles that a device should have for each of its compute units, so that none waits long for the others. */
enum { STENCIL_TILES_A_UNIT = 4 };

/* Cells of a tile's core along dimension 0. Where tiles may be shortened, all are about as long, and there are enough of
   them for all compute units. */
static long long stencil_tile_extent(const stencil_session *session, const stencil_kernel *kernel)
{
    const stencil_box *box = &session->call->tiled;
    long long wanted = (long long)session->compute_units * STENCIL_TILES_A_UNIT, beside = 1;
    long long extent = kernel->tile[0], rows, parts, chunk;
    if (kernel->division != STENCIL_SHORT_TILES || !stencil_extent(box->lo[0], box->hi[0], &rows))
        return extent;
    for (int d = 1; d < session->call->rank && beside < wanted; d++)
        beside *= stencil_tiles(session->call, kernel, d, kernel->tile[d]);
    parts = stencil_divide_up(wanted, beside);
    if (parts < stencil_divide_up(rows, extent))
        parts = stencil_divide_up(rows, extent);
    chunk = stencil_divide_up(rows, parts);
    if (chunk < kernel->least_chunk)
        chunk = kernel->least_chunk;
    return chunk < extent ? chunk : extent;
}

/* Cells at each end of dimension 0 that are tiles of their own. The others are to reach no end of a sweep's domain, so they
   keep clear of domains that end a little within the tiled box. */
static long long stencil_stream_end(const stencil_call *call, const stencil_kernel *kernel)
{
    long long beyond = 0;
    for (int s = 0; s < call->sweep_count; s++) {
        const stencil_box *domain = &call->sweeps[s].domain;
        const long long gaps[2] = {domain->lo[0] - call->tiled.lo[0], call->tiled.hi[0] - domain->hi[0]};
        for (int end = 0; end < 2; end++)
            if (call->sweeps[s].rank == call->rank && gaps[end] > beyond && gaps[end] <= kernel->end_of_stream)
                beyond = gaps[end];
    }
    return kernel->end_of_stream + beyond;
}

/* Cells of the tiled box between the tiles at the ends of dimension 0. */
static long long stencil_inner_rows(const stencil_call *call, const stencil_kernel *kernel)
{
    return call->tiled.hi[0] - call->tiled.lo[0] + 1 - 2 * stencil_stream_end(call, kernel);
}

/* Tiles along dimension 0, between those at its ends, that have their whole extent; the halves follow them. */
static long long stencil_whole_parts(const stencil_call *call, const stencil_kernel *kernel)
{
    long long rows = stencil_inner_rows(call, kernel);
    long long parts = rows > 0 ? stencil_divide_up(rows, kernel->tile[0]) : 0;
    return parts > 1 && kernel->halves_last ? parts - 1 : parts;
}

/* Tiles along dimension 0. */
static long long stencil_parts(const stencil_session *session, const stencil_kernel *kernel)
{
    const stencil_call *call = session->call;
    long long rows = stencil_inner_rows(call, kernel), whole, halves;
    if (kernel->division != STENCIL_END_TILES)
        return stencil_tiles(call, kernel, 0, stencil_tile_extent(session, kernel));
    if (rows <= 0)
        return rows > -stencil_stream_end(call, kernel) ? 2 : 1;
    whole = stencil_whole_parts(call, kernel);
    halves = stencil_divide_up(rows - whole * kernel->tile[0], (kernel->tile[0] + 1) / 2);
    return 2 + whole + (halves > 0 ? halves : 0);
}

/* Work-items in each dimension of the NDRange, whose dimension 0 is the last dimension of the cells. Cell dimensions
   beyond those of the NDRange are folded into its last, the outermost major. */
static int stencil_global_size(const stencil_session *session, const stencil_kernel *kernel, size_t *global)
{
    const stencil_call *call = session->call;
    const stencil_sweep *sweep = kernel->levels > 0 ? NULL : &call->sweeps[kernel->sweep];
    int rank = sweep ? sweep->rank : call->rank;
    long long size[3] = {1, 1, 1};
    for (int d = rank - 1; d >= 0; d--) {
        int k = rank - 1 - d < kernel->rank ? rank - 1 - d : kernel->rank - 1;
        long long count;
        if (!sweep)
            count = d == 0 ? stencil_parts(session, kernel) : stencil_tiles(call, kernel, d, kernel->tile[d]);
        else if (!stencil_extent(sweep->domain.lo[d], sweep->domain.hi[d], &count))
            return 0;
        if (!stencil_multiply(size[k], count, &size[k]))
            return 0;
    }
    for (int k = 0; k < kernel->rank && k < 3; k++) {
        long long group = (long long)kernel->work_group[k];
        if (sweep ? !stencil_round_up(size[k], group, &size[k]) : !stencil_multiply(size[k], group, &size[k]))
            return 0;
        if ((unsigned long long)size[k] > SIZE_MAX)
            return 0;
        global[k] = (size_t)size[k];
    }
    return 1;
}
