/* Where cells are in device buffers, and how wide the numbers are that tell. */

#include "runtime.h"

#include "check.h"

enum { MARGIN = 3 };

/* Places a box of doubles for a plan with margins; whether its kernels must compute positions as long. */
static int place(int rank, const stencil_box *box, int is_gpu, stencil_placement *placement)
{
    static const stencil_kernel kernel = {.name = "sweep", .rank = 2, .work_group = {1, 1, 1}};
    stencil_plan plan = {.name = "plan", .is_gpu = is_gpu, .kernel_count = 1, .kernels = &kernel};
    stencil_layout layout = {rank, *box};
    stencil_field field = {.name = "a", .element_size = sizeof(double), .slots = 1, .is_written = 1};
    stencil_call call = {.steps = 1, .rank = rank, .tiled = *box, .layout_count = 1, .field_count = 1,
                         .layouts = &layout, .fields = &field};
    stencil_session session;
    memset(&session, 0, sizeof session);
    for (int d = 0; d < rank; d++)
        plan.margin_lo[d] = plan.margin_hi[d] = MARGIN;
    session.call = &call;
    session.plan = &plan;
    session.placements = placement;
    return stencil_place_layouts(&session) ? stencil_needs_long_positions(&session) : -1;
}

static int needs_long(int rank, const stencil_box *box, int is_gpu)
{
    stencil_placement placement;
    return place(rank, box, is_gpu, &placement);
}

/* Whether all sums of terms of a position stay within the reach, in all corners of the box and its margins. */
static int is_within_reach(int rank, const stencil_box *box)
{
    stencil_placement placement;
    int is_within = place(rank, box, 1, &placement) >= 0;
    for (int corner = 0; corner < 1 << rank; corner++)
        for (int terms = 0; terms < 2 << rank; terms++) {
            long long sum = terms >> rank ? placement.origin : 0;
            for (int d = 0; d < rank; d++)
                if (terms >> d & 1)
                    sum += (corner >> d & 1 ? box->hi[d] + MARGIN : box->lo[d] - MARGIN) * placement.stride[d];
            is_within &= llabs(sum) <= placement.reach;
        }
    return is_within;
}

/* Whether all cells of a box and of its margins are in the buffer. */
static int is_in_buffer(int rank, const stencil_box *box, int is_gpu)
{
    stencil_placement placement;
    int is_in = place(rank, box, is_gpu, &placement) >= 0;
    for (int corner = 0; corner < 1 << rank; corner++) {
        long long at = placement.origin;
        for (int d = 0; d < rank; d++)
            at += (corner >> d & 1 ? box->hi[d] + MARGIN : box->lo[d] - MARGIN) * placement.stride[d];
        is_in &= at >= 0 && at < placement.cells;
    }
    return is_in;
}

/* Elements from a row to the next one. */
static long long pitch(int rank, const stencil_box *box, int is_gpu)
{
    stencil_placement placement;
    return place(rank, box, is_gpu, &placement) >= 0 ? placement.stride[rank - 2] : -1;
}

/* Whether the tiles along dimension 0 cover so many rows, none twice: those at the ends, whole parts, halves. The domain of
   one sweep ends `gap` rows before the tiled box, and whole parts reach no row of the end. */
static int are_covered(int rows, int extent, int reach, int gap, int halves_last)
{
    const int end = gap <= reach ? reach + gap : reach;
    const stencil_kernel kernel = {
        .name = "tile", .levels = 1, .rank = 2, .work_group = {1, 1, 1}, .tile = {extent}, .is_cut = {1},
        .division = STENCIL_END_TILES, .end_of_stream = reach, .halves_last = halves_last,
    };
    const stencil_sweep sweeps[2] = {{"all", 1, {{-3}, {rows - 4}}, 0}, {"within", 1, {{-3}, {rows - 4 - gap}}, 0}};
    stencil_call call;
    stencil_session session;
    long long tiles, whole, covered = 0;
    memset(&call, 0, sizeof call);
    memset(&session, 0, sizeof session);
    session.call = &call;
    call.rank = 1;
    call.sweeps = sweeps;
    call.sweep_count = 2;
    call.tiled = sweeps[0].domain;
    if (stencil_stream_end(&call, &kernel) != end)
        return 0;
    tiles = stencil_parts(&session, &kernel);
    whole = stencil_whole_parts(&call, &kernel);
    for (long long part = 0; part < tiles; part++) {
        long long inner = rows - end - covered, size = part > whole ? (extent + 1) / 2 : extent;
        if (part == 0 || part == tiles - 1)
            size = part == 0 && rows > end ? end : rows - covered;
        else if (inner < size)
            size = inner;
        if (size <= 0 || (part == tiles - 1 && size > end))
            return 0;
        covered += size;
    }
    return covered == rows;
}

int test_layout(void)
{
    int is_covered = 1;
    static const stencil_box small = {{0, 0}, {19999, 19999}}, large = {{0, 0}, {39999, 39999}};
    static const stencil_box far = {{-3000000, 4000}, {-2999000, 4999}}, deep = {{1, -2, 3}, {100, 200, 300}};
    int failures = 0;
    (void)stencil_run; /* nothing runs here */
    failures += expect("400 million cells need no long positions", needs_long(2, &small, 1) == 0);
    failures += expect("1600 million cells need them", needs_long(2, &large, 1) == 1);
    failures += expect("so do a million cells far from index 0", needs_long(2, &far, 1) == 1);
    failures += expect("plans for CPUs have them", needs_long(2, &small, 0) == 1);
    failures += expect("reach of large boxes", is_within_reach(2, &large) && is_within_reach(2, &far));
    failures += expect("reach in three dimensions", is_within_reach(3, &deep));
    for (int is_gpu = 0; is_gpu < 2; is_gpu++)
        failures += expect("margins are in the buffer", is_in_buffer(2, &small, is_gpu) && is_in_buffer(2, &far, is_gpu) &&
                                                            is_in_buffer(3, &deep, is_gpu));
    failures += expect("rows share margins in plans for GPUs", pitch(2, &small, 1) == 20000);
    failures += expect("and have their own in plans for CPUs", pitch(2, &small, 0) == 20016);
    failures += expect("rows are padded to whole lines", pitch(3, &deep, 1) == 304);
    for (int rows = 1; rows < 60; rows++)
        for (int extent = 1; extent < 9; extent++)
            for (int end = 1; end < 6; end++)
                for (int gap = 0; gap < 8; gap++)
                    is_covered &= are_covered(rows, extent, end, gap, 0) && are_covered(rows, extent, end, gap, 1);
    failures += expect("tiles along the stream cover it", is_covered);
    return failures;
}
