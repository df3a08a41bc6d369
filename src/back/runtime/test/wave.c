/* Three buffers that rotate: u[t+2] from u[t+1] and u[t]. The kernel of three levels reads and writes all three slots.
   A second nest has four dimensions, which are folded into the three of an NDRange, and writes every second cell. */

#include "runtime.h"

#include "check.h"
#include "rewritten.h"

static const char *const source[] = {
    "#pragma OPENCL FP_CONTRACT OFF\n",
    "#if STENCIL_NEST == 1\n",
    "__kernel void tile3(__global const double *in0, __global const double *in1, __global const double *in2,\n",
    "                    __global double *out0, __global double *out1, __global double *out2,\n",
    "                    __global const double *c, STENCIL_POSITION origin, STENCIL_POSITION c_origin, int lo, int hi) {\n",
    "    __local double value[5][16];\n",
    "    int i = get_local_id(0), x = lo + (int)get_group_id(0) * 10 + i - 3;\n",
    "    value[0][i] = in0[origin + x];\n",
    "    value[1][i] = in1[origin + x];\n",
    "    for (int level = 0; level < 3; level++) {\n",
    "        barrier(CLK_LOCAL_MEM_FENCE);\n",
    "        double border = (level == 0 ? in2 : level == 1 ? in0 : in1)[origin + x];\n",
    "        value[level + 2][i] = x < lo || x > hi || i == 0 || i == 15 ? border : 2 * value[level + 1][i]\n",
    "            - value[level][i] + c[c_origin + x] * (value[level + 1][i - 1] + value[level + 1][i + 1]);\n",
    "    }\n",
    "    barrier(CLK_LOCAL_MEM_FENCE);\n",
    "    if (i >= 3 && i < 13 && x <= hi) {\n",
    "        out0[origin + x] = value[2][i];\n",
    "        out1[origin + x] = value[3][i];\n",
    "        out2[origin + x] = value[4][i];\n",
    "    }\n",
    "}\n",
    "__kernel void sweep(__global const double *in0, __global const double *in1, __global double *out,\n",
    "                    __global const double *c, STENCIL_POSITION origin, STENCIL_POSITION c_origin, int lo, int hi) {\n",
    "    int x = lo + (int)get_global_id(0);\n",
    "    if (x <= hi)\n",
    "        out[origin + x] = 2 * in1[origin + x] - in0[origin + x]\n",
    "            + c[c_origin + x] * (in1[origin + x - 1] + in1[origin + x + 1]);\n",
    "}\n",
    "#else\n",
    "#define ARGS __global const int *in, __global int *out, STENCIL_POSITION origin, STENCIL_POSITION s0, \\\n",
    "    STENCIL_POSITION s1, STENCIL_POSITION s2, \\\n",
    "    int lo0, int lo1, int lo2, int lo3, int hi0, int hi1, int hi2, int hi3\n",
    "void compute(ARGS, int w, int x, int y, int z) {\n",
    "    long at = origin + w * s0 + x * s1 + y * s2 + z;\n",
    "    if (w <= hi0 && x <= hi1 && y <= hi2 && z <= hi3 && (w + x + y + z) % 2 == 0)\n",
    "        out[at] = 3 * in[at] + (w * 7 + x * 5 + y * 3 + z);\n",
    "}\n",
    "#define PASS in, out, origin, s0, s1, s2, lo0, lo1, lo2, lo3, hi0, hi1, hi2, hi3\n",
    "__kernel void tile(ARGS) {\n",
    "    int tiles = (hi1 - lo1 + 2) / 2, group = get_group_id(2), item = get_local_id(2);\n",
    "    for (int i = 0; i < 2; i++)\n",
    "        compute(PASS, lo0 + group / tiles, lo1 + group % tiles * 2 + i,\n",
    "                lo2 + (int)get_group_id(1) * 2 + (int)get_local_id(1), lo3 + (int)get_global_id(0));\n",
    "}\n",
    "__kernel void sweep(ARGS) {\n",
    "    int extent = hi1 - lo1 + 1, folded = get_global_id(2);\n",
    "    compute(PASS, lo0 + folded / extent, lo1 + folded % extent, lo2 + (int)get_global_id(1),\n",
    "            lo3 + (int)get_global_id(0));\n",
    "}\n",
    "#endif",
};

static const stencil_arg tile_args[] = {
    {.kind = STENCIL_ARG_INPUT}, {.kind = STENCIL_ARG_INPUT, .slot = 1}, {.kind = STENCIL_ARG_INPUT, .slot = -1},
    {.kind = STENCIL_ARG_OTHER, .slot = 2}, {.kind = STENCIL_ARG_OTHER, .slot = 3},
    {.kind = STENCIL_ARG_OTHER, .slot = 4}, {.kind = STENCIL_ARG_INPUT, .field = 1}, {.kind = STENCIL_ARG_ORIGIN},
    {.kind = STENCIL_ARG_ORIGIN, .layout = 1}, {.kind = STENCIL_ARG_TILE_LO}, {.kind = STENCIL_ARG_TILE_HI},
};
static const stencil_swap swaps[] = {{.slot = 0}, {.slot = 1}, {.slot = 2}};
static const stencil_arg sweep_args[] = {
    {.kind = STENCIL_ARG_INPUT}, {.kind = STENCIL_ARG_INPUT, .slot = 1}, {.kind = STENCIL_ARG_OUTPUT, .slot = 2},
    {.kind = STENCIL_ARG_INPUT, .field = 1}, {.kind = STENCIL_ARG_ORIGIN},
    {.kind = STENCIL_ARG_ORIGIN, .layout = 1}, {.kind = STENCIL_ARG_DOMAIN_LO}, {.kind = STENCIL_ARG_DOMAIN_HI},
};
static const stencil_kernel kernels[] = {
    {.name = "tile3", .levels = 3, .rank = 1, .work_group = {16, 1, 1}, .tile = {10}, .arg_count = 11,
     .args = tile_args, .swap_count = 3, .swaps = swaps},
    {.name = "sweep", .rank = 1, .work_group = {8, 1, 1}, .arg_count = 8, .args = sweep_args},
};
static const stencil_plan plans[] = {
    {.name = "tiles", .is_gpu = 1, .local_bytes = 640, .margin_lo = {2}, .margin_hi = {12}, .kernel_count = 2,
     .kernels = kernels},
    {.name = "sweeps", .is_gpu = 1, .number = 1, .kernel_count = 1, .kernels = kernels + 1},
};
static const stencil_nest nest = {
    .name = "wave", .where = "wave.c:1", .source = source, .source_lines = sizeof source / sizeof *source,
    .number = 1, .needs_fp64 = 1, .plan_count = 2, .plans = plans,
};

typedef struct {
    int n;
    long long steps;
} parameters;

static void reference(void *const *bases, const void *context)
{
    const parameters *p = context;
    const double *c = bases[3];
    for (long long t = 0; t < p->steps; t++) {
        const double *before = bases[t % 3], *now = bases[(t + 1) % 3];
        double *next = bases[(t + 2) % 3];
        for (int i = 1; i < p->n - 1; i++)
            next[i] = 2 * now[i] - before[i] + c[i] * (now[i - 1] + now[i + 1]);
    }
}

enum { MAX_CELLS = 200 };

static int compare_wave(int n, long long steps)
{
    static double values[4][MAX_CELLS], expected[4][MAX_CELLS];
    parameters p = {n, steps};
    stencil_box all = {{0}, {n - 1}}, inner = {{1}, {n - 2}};
    stencil_array arrays[4] = {
        {.name = "u", .base = values[0], .element_size = sizeof(double), .rank = 1, .stride = {1}, .used = all,
         .spacing = 1, .is_written = 1, .kind = STENCIL_REAL},
        {.name = "v", .base = values[1], .element_size = sizeof(double), .rank = 1, .stride = {1}, .used = all,
         .spacing = 1, .is_written = 1, .kind = STENCIL_REAL},
        {.name = "w", .base = values[2], .element_size = sizeof(double), .rank = 1, .stride = {1}, .used = all,
         .spacing = 1, .is_written = 1, .kind = STENCIL_REAL},
        {.name = "c", .base = values[3], .element_size = sizeof(double), .rank = 1, .stride = {1}, .used = inner,
         .spacing = 1, .kind = STENCIL_REAL},
    };
    stencil_layout layouts[2] = {{1, all}, {1, inner}};
    stencil_field fields[2] = {
        {.name = "u/v/w", .element_size = sizeof(double), .slots = 3, .is_written = 1, .initial = {0, 1, 2}},
        {.name = "c", .element_size = sizeof(double), .layout = 1, .slots = 1, .initial = {3}},
    };
    stencil_sweep sweep = {"w", 1, inner, 0};
    stencil_result results[3] = {
        {.array = 2, .slot = 2, .box = inner},
        {.box = inner},
        {.array = 1, .slot = 1, .box = inner},
    };
    stencil_call call = {
        .steps = steps, .rank = 1, .tiled = inner, .array_count = 4, .layout_count = 2, .field_count = 2,
        .sweep_count = 1, .result_count = steps < 3 ? (int)steps : 3, .arrays = arrays, .layouts = layouts,
        .fields = fields, .sweeps = &sweep, .results = results, .context = &p, .context_size = sizeof p,
    };
    void *bases[4];
    char test[80];
    for (int i = 0; i < 4; i++) {
        fill(values[i], MAX_CELLS, (unsigned)i);
        bases[i] = expected[i];
    }
    memcpy(expected, values, sizeof values);
    reference(bases, &p);
    snprintf(test, sizeof test, "wave of %d cells, %lld steps", n, steps);
    return expect(test, run_rewritten(&nest, &call, reference) == loops_run()) + expect_same(test, expected, values, sizeof values);
}

#define ARGS_4D(out, lo, hi)                                                                                       \
    {                                                                                                              \
        {.kind = STENCIL_ARG_INPUT}, {.kind = out}, {.kind = STENCIL_ARG_ORIGIN}, {.kind = STENCIL_ARG_STRIDE},    \
        {.kind = STENCIL_ARG_STRIDE, .dimension = 1}, {.kind = STENCIL_ARG_STRIDE, .dimension = 2},                \
        {.kind = lo}, {.kind = lo, .dimension = 1}, {.kind = lo, .dimension = 2}, {.kind = lo, .dimension = 3},    \
        {.kind = hi}, {.kind = hi, .dimension = 1}, {.kind = hi, .dimension = 2}, {.kind = hi, .dimension = 3},    \
    }
static const stencil_arg tile_args_4d[] = ARGS_4D(STENCIL_ARG_OTHER, STENCIL_ARG_TILE_LO, STENCIL_ARG_TILE_HI),
                         sweep_args_4d[] = ARGS_4D(STENCIL_ARG_IN_PLACE, STENCIL_ARG_DOMAIN_LO, STENCIL_ARG_DOMAIN_HI);
static const stencil_kernel kernels_4d[] = {
    {.name = "tile", .levels = 1, .rank = 3, .work_group = {4, 2, 1}, .tile = {1, 2, 2, 4}, .arg_count = 14,
     .args = tile_args_4d, .swap_count = 1, .swaps = swaps},
    {.name = "sweep", .rank = 3, .work_group = {4, 2, 2}, .arg_count = 14, .args = sweep_args_4d},
};
static const stencil_plan plans_4d[] = {
    {.name = "tiles", .is_gpu = 1, .kernel_count = 2, .kernels = kernels_4d},
    {.name = "sweeps", .number = 1, .kernel_count = 1, .kernels = kernels_4d + 1},
};
static const stencil_nest nest_4d = {
    .name = "even_cells", .where = "wave.c:2", .source = source, .source_lines = sizeof source / sizeof *source,
    .number = 2, .plan_count = 2, .plans = plans_4d,
};

static int is_even(const long long *cell, const void *context)
{
    (void)context;
    return (cell[0] + cell[1] + cell[2] + cell[3]) % 2 == 0;
}

static void reference_4d(void *const *bases, const void *context)
{
    int(*a)[5][4][6] = bases[0];
    for (long long t = 0; t < *(const long long *)context; t++)
        for (int w = 0; w < 3; w++)
            for (int x = 1; x < 5; x++)
                for (int y = 0; y < 3; y++)
                    for (int z = 1; z < 6; z++)
                        if ((w + x + y + z) % 2 == 0)
                            a[w][x][y][z] = 3 * a[w][x][y][z] + (w * 7 + x * 5 + y * 3 + z);
}

static int compare_even_cells(long long steps)
{
    static int values[3][5][4][6], expected[3][5][4][6];
    stencil_box box = {{0, 1, 0, 1}, {2, 4, 2, 5}};
    stencil_array array = {
        .name = "a", .base = values, .element_size = sizeof(int), .rank = 4, .stride = {120, 24, 6, 1},
        .used = box, .spacing = 1, .is_written = 1, .kind = STENCIL_INTEGER,
    };
    stencil_layout layout = {4, box};
    stencil_field field = {.name = "a", .element_size = sizeof(int), .slots = 1, .is_written = 1};
    stencil_sweep sweep = {"a", 4, box, 0};
    stencil_result result = {.box = box, .contains = is_even};
    stencil_call call = {
        .steps = steps, .rank = 4, .tiled = box, .array_count = 1, .layout_count = 1, .field_count = 1,
        .sweep_count = 1, .result_count = 1, .arrays = &array, .layouts = &layout, .fields = &field,
        .sweeps = &sweep, .results = &result, .context = &steps, .context_size = sizeof steps,
    };
    void *bases[1];
    bases[0] = expected;
    for (int i = 0; i < 3 * 5 * 4 * 6; i++)
        (&values[0][0][0][0])[i] = i * i;
    memcpy(expected, values, sizeof values);
    reference_4d(bases, &steps);
    return expect("even cells", run_rewritten(&nest_4d, &call, reference_4d) == loops_run()) +
           expect_same("even cells", expected, values, sizeof values);
}

int test_wave(void)
{
    static const int sizes[] = {3, 11, 12, 13, MAX_CELLS};
    int failures = 0;
    for (long long steps = 1; steps < 12; steps++)
        for (int i = 0; i < 5; i++)
            failures += compare_wave(sizes[i], steps);
    return failures + compare_even_cells(1) + compare_even_cells(2) + compare_even_cells(5);
}
