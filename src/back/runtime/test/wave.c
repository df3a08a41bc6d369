/* Three buffers that rotate: u[t+2] from u[t+1] and u[t]. The kernel of three levels reads and writes all three slots.
   A second region has four dimensions, which are folded into the three of an NDRange, and writes every second cell. */

#include "runtime.h"

#include "check.h"
#include "rewritten.h"

static const char *const source[] = {
    "#pragma OPENCL FP_CONTRACT OFF\n",
    "#if STENCIL_REGION == 1\n",
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
    {STENCIL_ARG_INPUT, 0, 0},   {STENCIL_ARG_INPUT, 0, 1},  {STENCIL_ARG_INPUT, 0, -1}, {STENCIL_ARG_OUTPUT, 0, 2},
    {STENCIL_ARG_OUTPUT, 0, 3},  {STENCIL_ARG_OUTPUT, 0, 4}, {STENCIL_ARG_INPUT, 1, 0},  {STENCIL_ARG_ORIGIN, 0, 0},
    {STENCIL_ARG_ORIGIN, 1, 0},  {STENCIL_ARG_TILE_LO, 0, 0}, {STENCIL_ARG_TILE_HI, 0, 0},
};
static const stencil_arg sweep_args[] = {
    {STENCIL_ARG_INPUT, 0, 0},  {STENCIL_ARG_INPUT, 0, 1},  {STENCIL_ARG_OUTPUT, 0, 2},    {STENCIL_ARG_INPUT, 1, 0},
    {STENCIL_ARG_ORIGIN, 0, 0}, {STENCIL_ARG_ORIGIN, 1, 0}, {STENCIL_ARG_DOMAIN_LO, 0, 0}, {STENCIL_ARG_DOMAIN_HI, 0, 0},
};
static const stencil_kernel kernels[] = {
    {"tile3", 3, 0, 1, {16, 1, 1}, {10, 0, 0, 0}, {0}, {0}, {0}, 0, 0, 0, 0, 11, tile_args},
    {"sweep", 0, 0, 1, {8, 1, 1}, {0, 0, 0, 0}, {0}, {0}, {0}, 0, 0, 0, 0, 8, sweep_args},
};
static const stencil_plan plans[] = {
    {"tiles", 1, 0, 640, {2, 0, 0, 0}, {12, 0, 0, 0}, 2, kernels, NULL, NULL, 0, 0},
    {"sweeps", 1, 1, 0, {0, 0, 0, 0}, {0, 0, 0, 0}, 1, kernels + 1, NULL, NULL, 0, 0},
};
static const stencil_region region = {
    "wave", "wave.c:1", source, sizeof source / sizeof *source, 1, NULL, 1, 0, 0, 2, plans, 0, 0, NULL, NULL,
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
        {"u", values[0], sizeof(double), 1, {1}, all, 1, 1, 0, 0, STENCIL_REAL},
        {"v", values[1], sizeof(double), 1, {1}, all, 1, 1, 0, 0, STENCIL_REAL},
        {"w", values[2], sizeof(double), 1, {1}, all, 1, 1, 0, 0, STENCIL_REAL},
        {"c", values[3], sizeof(double), 1, {1}, inner, 1, 0, 0, 0, STENCIL_REAL},
    };
    stencil_layout layouts[2] = {{1, all}, {1, inner}};
    stencil_field fields[2] = {{"u/v/w", sizeof(double), 0, 3, 1, {0, 1, 2}}, {"c", sizeof(double), 1, 1, 0, {3}}};
    stencil_sweep sweep = {"w", 1, inner};
    stencil_result results[3] = {{2, 0, 2, inner, NULL}, {0, 0, 0, inner, NULL}, {1, 0, 1, inner, NULL}};
    stencil_call call = {0, 0, NULL, NULL, steps,  1,      inner,  4,       2,    2,  1,        steps < 3 ? (int)steps : 3, 0,
                         arrays, layouts, fields, &sweep, results, NULL, &p, sizeof p, 0, NULL, 0, NULL, 0, NULL};
    void *bases[4];
    char test[80];
    for (int i = 0; i < 4; i++) {
        fill(values[i], MAX_CELLS, (unsigned)i);
        bases[i] = expected[i];
    }
    memcpy(expected, values, sizeof values);
    reference(bases, &p);
    snprintf(test, sizeof test, "wave of %d cells, %lld steps", n, steps);
    return expect(test, run_rewritten(&region, &call, reference) == loops_run()) + expect_same(test, expected, values, sizeof values);
}

#define ARGS_4D(lo, hi)                                                                                                \
    {                                                                                                                  \
        {STENCIL_ARG_INPUT, 0, 0}, {STENCIL_ARG_OUTPUT, 0, 0}, {STENCIL_ARG_ORIGIN, 0, 0}, {STENCIL_ARG_STRIDE, 0, 0}, \
            {STENCIL_ARG_STRIDE, 0, 1}, {STENCIL_ARG_STRIDE, 0, 2}, {lo, 0, 0}, {lo, 0, 1}, {lo, 0, 2}, {lo, 0, 3},    \
            {hi, 0, 0}, {hi, 0, 1}, {hi, 0, 2}, {hi, 0, 3},                                                            \
    }
static const stencil_arg tile_args_4d[] = ARGS_4D(STENCIL_ARG_TILE_LO, STENCIL_ARG_TILE_HI),
                         sweep_args_4d[] = ARGS_4D(STENCIL_ARG_DOMAIN_LO, STENCIL_ARG_DOMAIN_HI);
static const stencil_kernel kernels_4d[] = {
    {"tile", 1, 0, 3, {4, 2, 1}, {1, 2, 2, 4}, {0}, {0}, {0}, 0, 0, 0, 0, 14, tile_args_4d},
    {"sweep", 0, 0, 3, {4, 2, 2}, {0, 0, 0, 0}, {0}, {0}, {0}, 0, 0, 0, 0, 14, sweep_args_4d},
};
static const stencil_plan plans_4d[] = {
    {"tiles", 1, 0, 0, {0, 0, 0, 0}, {0, 0, 0, 0}, 2, kernels_4d, NULL, NULL, 0, 0},
    {"sweeps", 0, 1, 0, {0, 0, 0, 0}, {0, 0, 0, 0}, 1, kernels_4d + 1, NULL, NULL, 0, 0},
};
static const stencil_region region_4d = {
    "even_cells", "wave.c:2", source, sizeof source / sizeof *source, 2, NULL, 0, 0, 0, 2, plans_4d, 0, 0, NULL, NULL,
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
    stencil_array array = {"a", values, sizeof(int), 4, {120, 24, 6, 1}, box, 1, 1, 0, 0, STENCIL_INTEGER};
    stencil_layout layout = {4, box};
    stencil_field field = {"a", sizeof(int), 0, 1, 1, {0}};
    stencil_sweep sweep = {"a", 4, box};
    stencil_result result = {0, 0, 0, box, is_even};
    stencil_call call = {0, 0, NULL, NULL, steps,   4,      box,    1,       1,    1,      1,           1, 0,
                         &array, &layout, &field, &sweep, &result, NULL, &steps, sizeof steps, 0, NULL, 0, NULL, 0, NULL};
    void *bases[1];
    bases[0] = expected;
    for (int i = 0; i < 3 * 5 * 4 * 6; i++)
        (&values[0][0][0][0])[i] = i * i;
    memcpy(expected, values, sizeof values);
    reference_4d(bases, &steps);
    return expect("even cells", run_rewritten(&region_4d, &call, reference_4d) == loops_run()) +
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
