/* Two buffers swapped each step. In one dimension every second element of a user's array is the stencil's; in two the
   user's rows are longer than used. The buffers have different borders, and both are live at the end: in one dimension a
   kernel leaves both. */

#include "runtime.h"

#include "check.h"
#include "rewritten.h"

/* A work-group loads its tile with `LEVELS` cells around it. Beyond the domain a level's values are those of the buffer
   that it belongs to, so levels alternate between the two inputs there. */
static const char *const source[] = {
    "#pragma OPENCL FP_CONTRACT OFF",
    "#if STENCIL_NEST == 1",
    "#define BEFORE , __global double *before",
    "#define TILE(NAME, LEVELS, MORE, STORE) \\",
    "__kernel void NAME(__global const double *in0, __global const double *in1, __global double *out, \\",
    "                   STENCIL_POSITION origin, int lo, int hi, double factor MORE) { \\",
    "    __local double value[2][16 + 2 * LEVELS]; \\",
    "    int item = get_local_id(0), width = 16 + 2 * LEVELS, first = lo + (int)get_group_id(0) * 16 - LEVELS; \\",
    "    for (int i = item; i < width; i += 16) value[0][i] = in0[origin + first + i]; \\",
    "    for (int level = 0; level < LEVELS; level++) { \\",
    "        __local double *now = value[level % 2], *next = value[(level + 1) % 2]; \\",
    "        barrier(CLK_LOCAL_MEM_FENCE); \\",
    "        for (int i = item; i < width; i += 16) { \\",
    "            int x = first + i, is_inner = x >= lo && x <= hi && i > 0 && i < width - 1; \\",
    "            next[i] = is_inner ? factor * (now[i - 1] + now[i] + now[i + 1]) : (level % 2 ? in0 : in1)[origin + x]; \\",
    "        } \\",
    "    } \\",
    "    barrier(CLK_LOCAL_MEM_FENCE); \\",
    "    int x = first + LEVELS + item; \\",
    "    if (x <= hi) out[origin + x] = value[LEVELS % 2][LEVELS + item]; \\",
    "    STORE \\",
    "}",
    "TILE(tile3, 3, , )",
    "TILE(last3, 3, BEFORE, if (x <= hi) before[origin + x] = value[0][3 + item];)",
    "TILE(tile2, 2, , )",
    "TILE(tile1, 1, , )",
    "__kernel void sweep(__global const double *in, __global double *out, STENCIL_POSITION origin, int lo, int hi,",
    "                    double factor) {",
    "    int x = lo + (int)get_global_id(0);",
    "    if (x <= hi) out[origin + x] = factor * (in[origin + x - 1] + in[origin + x] + in[origin + x + 1]);",
    "}",
    "#else",
    "#define TILE(NAME, LEVELS) \\",
    "__kernel void NAME(__global const double *in0, __global const double *in1, __global double *out, \\",
    "                   STENCIL_POSITION origin, STENCIL_POSITION stride, int lo0, int lo1, int hi0, int hi1) { \\",
    "    __local double value[2][4 + 2 * LEVELS][8 + 2 * LEVELS]; \\",
    "    int height = 4 + 2 * LEVELS, width = 8 + 2 * LEVELS; \\",
    "    int first0 = lo0 + (int)get_group_id(1) * 4 - LEVELS, first1 = lo1 + (int)get_group_id(0) * 8 - LEVELS; \\",
    "    for (int i = get_local_id(1); i < height; i += 4) \\",
    "        for (int j = get_local_id(0); j < width; j += 8) \\",
    "            value[0][i][j] = in0[origin + (first0 + i) * stride + first1 + j]; \\",
    "    for (int level = 0; level < LEVELS; level++) { \\",
    "        int now = level % 2; \\",
    "        barrier(CLK_LOCAL_MEM_FENCE); \\",
    "        for (int i = get_local_id(1); i < height; i += 4) \\",
    "            for (int j = get_local_id(0); j < width; j += 8) { \\",
    "                int x = first0 + i, y = first1 + j; \\",
    "                int is_inner = x >= lo0 && x <= hi0 && y >= lo1 && y <= hi1; \\",
    "                is_inner = is_inner && i > 0 && i < height - 1 && j > 0 && j < width - 1; \\",
    "                value[1 - now][i][j] = is_inner ? 0.25 * (value[now][i - 1][j] + value[now][i + 1][j] \\",
    "                    + value[now][i][j - 1] + value[now][i][j + 1]) : (now ? in0 : in1)[origin + x * stride + y]; \\",
    "            } \\",
    "    } \\",
    "    barrier(CLK_LOCAL_MEM_FENCE); \\",
    "    int i = get_local_id(1) + LEVELS, j = get_local_id(0) + LEVELS; \\",
    "    if (first0 + i <= hi0 && first1 + j <= hi1) \\",
    "        out[origin + (first0 + i) * stride + first1 + j] = value[LEVELS % 2][i][j]; \\",
    "}",
    "TILE(tile3, 3)",
    "TILE(tile2, 2)",
    "TILE(tile1, 1)",
    "__kernel void sweep(__global const double *in, __global double *out, STENCIL_POSITION origin,",
    "                    STENCIL_POSITION stride, int lo0, int lo1, int hi0, int hi1) {",
    "    int x = lo0 + (int)get_global_id(1), y = lo1 + (int)get_global_id(0);",
    "    long at = origin + x * stride + y;",
    "    if (x <= hi0 && y <= hi1)",
    "        out[at] = 0.25 * (in[at - stride] + in[at + stride] + in[at - 1] + in[at + 1]);",
    "}",
    "#endif\n",
};

/* Slots that tiles read and write. */
static const stencil_swap swaps[] = {{.slot = 1}, {.slot = 0}};

#define TILE_ARGS_1D(last)                                                                                         \
    {                                                                                                              \
        {.kind = STENCIL_ARG_INPUT}, {.kind = STENCIL_ARG_INPUT, .slot = 1},                                       \
        {.kind = STENCIL_ARG_OTHER, .slot = last}, {.kind = STENCIL_ARG_ORIGIN}, {.kind = STENCIL_ARG_TILE_LO},    \
        {.kind = STENCIL_ARG_TILE_HI}, {.kind = STENCIL_ARG_SCALAR},                                               \
    }
static const stencil_arg tile3_args_1d[] = TILE_ARGS_1D(3), tile2_args_1d[] = TILE_ARGS_1D(2),
                         tile1_args_1d[] = TILE_ARGS_1D(1);
static const stencil_arg last3_args_1d[] = {
    {.kind = STENCIL_ARG_INPUT}, {.kind = STENCIL_ARG_INPUT, .slot = 1}, {.kind = STENCIL_ARG_OTHER, .slot = 3},
    {.kind = STENCIL_ARG_ORIGIN}, {.kind = STENCIL_ARG_TILE_LO}, {.kind = STENCIL_ARG_TILE_HI},
    {.kind = STENCIL_ARG_SCALAR}, {.kind = STENCIL_ARG_OTHER, .slot = 2},
};
static const stencil_arg sweep_args_1d[] = {
    {.kind = STENCIL_ARG_INPUT}, {.kind = STENCIL_ARG_OUTPUT, .slot = 1}, {.kind = STENCIL_ARG_ORIGIN},
    {.kind = STENCIL_ARG_DOMAIN_LO}, {.kind = STENCIL_ARG_DOMAIN_HI}, {.kind = STENCIL_ARG_SCALAR},
};
static const stencil_kernel kernels_1d[] = {
    {.name = "tile3", .levels = 3, .rank = 1, .work_group = {16, 1, 1}, .tile = {16}, .arg_count = 7,
     .args = tile3_args_1d, .swap_count = 1, .swaps = swaps},
    {.name = "last3", .levels = 3, .rank = 1, .work_group = {16, 1, 1}, .tile = {16}, .leaves_results = 1,
     .arg_count = 8, .args = last3_args_1d, .swap_count = 2, .swaps = swaps},
    {.name = "tile2", .levels = 2, .rank = 1, .work_group = {16, 1, 1}, .tile = {16}, .arg_count = 7,
     .args = tile2_args_1d, .swap_count = 1, .swaps = swaps + 1},
    {.name = "tile1", .levels = 1, .rank = 1, .work_group = {16, 1, 1}, .tile = {16}, .arg_count = 7,
     .args = tile1_args_1d, .swap_count = 1, .swaps = swaps},
    {.name = "sweep", .rank = 1, .work_group = {32, 1, 1}, .arg_count = 6, .args = sweep_args_1d},
};
static const stencil_plan plans_1d[] = {
    {.name = "sweeps", .is_gpu = 1, .kernel_count = 1, .kernels = kernels_1d + 4},
    {.name = "tiles", .number = 1, .local_bytes = 352, .margin_lo = {2}, .margin_hi = {18}, .kernel_count = 5,
     .kernels = kernels_1d},
};
static const stencil_nest nest_1d = {
    .name = "jacobi_1d", .where = "jacobi.c:1", .source = source, .source_lines = sizeof source / sizeof *source,
    .number = 1, .build_options = "-w", .needs_fp64 = 1, .plan_count = 2, .plans = plans_1d,
    .last_single_steps = 1,
};

#define TILE_ARGS_2D(last)                                                                                         \
    {                                                                                                              \
        {.kind = STENCIL_ARG_INPUT}, {.kind = STENCIL_ARG_INPUT, .slot = 1},                                       \
        {.kind = STENCIL_ARG_OTHER, .slot = last}, {.kind = STENCIL_ARG_ORIGIN}, {.kind = STENCIL_ARG_STRIDE},     \
        {.kind = STENCIL_ARG_TILE_LO}, {.kind = STENCIL_ARG_TILE_LO, .dimension = 1},                              \
        {.kind = STENCIL_ARG_TILE_HI}, {.kind = STENCIL_ARG_TILE_HI, .dimension = 1},                              \
    }
static const stencil_arg tile3_args_2d[] = TILE_ARGS_2D(3), tile2_args_2d[] = TILE_ARGS_2D(2),
                         tile1_args_2d[] = TILE_ARGS_2D(1);
static const stencil_arg sweep_args_2d[] = {
    {.kind = STENCIL_ARG_INPUT}, {.kind = STENCIL_ARG_OUTPUT, .slot = 1}, {.kind = STENCIL_ARG_ORIGIN},
    {.kind = STENCIL_ARG_STRIDE}, {.kind = STENCIL_ARG_DOMAIN_LO}, {.kind = STENCIL_ARG_DOMAIN_LO, .dimension = 1},
    {.kind = STENCIL_ARG_DOMAIN_HI}, {.kind = STENCIL_ARG_DOMAIN_HI, .dimension = 1},
};
static const stencil_kernel kernels_2d[] = {
    {.name = "tile3", .levels = 3, .rank = 2, .work_group = {8, 4, 1}, .tile = {4, 8}, .arg_count = 9,
     .args = tile3_args_2d, .swap_count = 1, .swaps = swaps},
    {.name = "tile2", .levels = 2, .rank = 2, .work_group = {8, 4, 1}, .tile = {4, 8}, .arg_count = 9,
     .args = tile2_args_2d, .swap_count = 1, .swaps = swaps + 1},
    {.name = "tile1", .levels = 1, .rank = 2, .work_group = {8, 4, 1}, .tile = {4, 8}, .arg_count = 9,
     .args = tile1_args_2d, .swap_count = 1, .swaps = swaps},
    {.name = "sweep", .rank = 2, .work_group = {16, 2, 1}, .arg_count = 8, .args = sweep_args_2d},
};
static const stencil_plan plans_2d[] = {
    {.name = "sweeps", .is_gpu = 1, .kernel_count = 1, .kernels = kernels_2d + 3},
    {.name = "tiles", .number = 1, .local_bytes = 2240, .margin_lo = {2, 2}, .margin_hi = {6, 10},
     .kernel_count = 4, .kernels = kernels_2d},
};
static const stencil_nest nest_2d = {
    .name = "jacobi_2d", .where = "jacobi.c:2", .source = source, .source_lines = sizeof source / sizeof *source,
    .number = 2, .build_options = "-w", .needs_fp64 = 1, .plan_count = 2, .plans = plans_2d,
    .last_single_steps = 1,
};

typedef struct {
    int n, m; /* elements in each dimension; m is 1 for one dimension */
    long long steps;
    double factor;
} parameters;

static void reference_1d(void *const *bases, const void *context)
{
    const parameters *p = context;
    double *a = bases[0], *b = bases[1];
    for (long long t = 0; t < p->steps; t++) {
        double *swapped = a;
        for (int i = 1; i < p->n - 1; i++)
            b[2 * i] = p->factor * (a[2 * (i - 1)] + a[2 * i] + a[2 * (i + 1)]);
        a = b;
        b = swapped;
    }
}

enum { PADDING = 3 };

static void reference_2d(void *const *bases, const void *context)
{
    const parameters *p = context;
    double *a = bases[0], *b = bases[1];
    long long row = p->m + PADDING;
    for (long long t = 0; t < p->steps; t++) {
        double *swapped = a;
        for (int i = 1; i < p->n - 1; i++)
            for (int j = 1; j < p->m - 1; j++)
                b[i * row + j] = 0.25 * (a[(i - 1) * row + j] + a[(i + 1) * row + j] + a[i * row + j - 1] +
                                         a[i * row + j + 1]);
        a = b;
        b = swapped;
    }
}

/* Runs one of the two nests on a and b. */
static int run_jacobi(const parameters *p, double *a, double *b)
{
    int rank = p->m > 1 ? 2 : 1;
    stencil_box used = {{0, 0, 0, 0}, {p->n - 1, p->m - 1, 0, 0}};
    stencil_box inner = {{1, 1, 0, 0}, {p->n - 2, p->m - 2, 0, 0}};
    long long outer_stride = rank == 2 ? p->m + PADDING : 2, inner_stride = rank == 2 ? 1 : 0;
    stencil_array arrays[2] = {
        {.name = "a", .base = a, .element_size = sizeof *a, .rank = rank, .stride = {outer_stride, inner_stride},
         .used = used, .spacing = 1, .is_written = 1, .kind = STENCIL_REAL},
        {.name = "b", .base = b, .element_size = sizeof *b, .rank = rank, .stride = {outer_stride, inner_stride},
         .used = used, .spacing = 1, .is_written = 1, .kind = STENCIL_REAL},
    };
    stencil_layout layout = {rank, used};
    stencil_field field = {.name = "a/b", .element_size = sizeof *a, .slots = 2, .is_written = 1, .initial = {0, 1}};
    stencil_sweep sweep = {"b", rank, inner, 0};
    int last = (int)(p->steps % 2);
    stencil_result results[2] = {
        {.array = last, .slot = last, .box = inner},
        {.array = 1 - last, .slot = 1 - last, .box = inner},
    };
    stencil_scalar factor = {sizeof p->factor, &p->factor};
    /* The first step writes b, so a single step leaves a alone. */
    stencil_call call = {
        .steps = p->steps, .rank = rank, .tiled = inner, .array_count = 2, .layout_count = 1, .field_count = 1,
        .sweep_count = 1, .result_count = p->steps > 1 ? 2 : 1, .scalar_count = 1, .arrays = arrays,
        .layouts = &layout, .fields = &field, .sweeps = &sweep, .results = results, .scalars = &factor,
        .context = p, .context_size = sizeof *p,
    };
    return run_rewritten(rank == 2 ? &nest_2d : &nest_1d, &call, rank == 2 ? reference_2d : reference_1d) == loops_run();
}

static int compare_jacobi(int n, int m, long long steps)
{
    parameters p = {n, m, steps, 0.375};
    long long count = m > 1 ? (long long)n * (m + PADDING) : 2LL * n;
    size_t bytes = (size_t)count * sizeof(double);
    double *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes), *d = malloc(bytes);
    void *bases[2];
    int failures;
    char test[80];
    bases[0] = c;
    bases[1] = d;
    fill(a, count, 1);
    fill(b, count, 2);
    memcpy(c, a, bytes);
    memcpy(d, b, bytes);
    snprintf(test, sizeof test, "jacobi %d x %d, %lld steps", n, m, steps);
    (m > 1 ? reference_2d : reference_1d)(bases, &p);
    failures = expect(test, run_jacobi(&p, a, b)) + expect_same(test, c, a, bytes) + expect_same(test, d, b, bytes);
    free(a);
    free(b);
    free(c);
    free(d);
    return failures;
}

int test_jacobi(void)
{
    static const int sizes[] = {3, 4, 17, 18, 101};
    static const long long steps[] = {0, 1, 2, 3, 4, 5, 7, 11};
    int failures = 0;
    for (int s = 0; s < 8; s++)
        for (int i = 0; i < 5; i++) {
            failures += compare_jacobi(sizes[i], 1, steps[s]);
            failures += compare_jacobi(sizes[i], sizes[4 - i], steps[s]);
        }
    failures += compare_jacobi(2, 1, 5) + compare_jacobi(2, 9, 5);
    failures += compare_jacobi(40, 1, 20000);
    return failures;
}
