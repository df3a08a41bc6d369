/* Three fields updated in place by four sweeps, in single precision with a division; the first sweep takes a value from
   a one-dimensional array at the number of the step. There are only sweep kernels. */

#include "runtime.h"

#include "check.h"
#include "rewritten.h"

static const char *const source[] = {
    "#pragma OPENCL FP_CONTRACT OFF",
    "#define ARGS(ARRAYS) ARRAYS, STENCIL_POSITION origin, STENCIL_POSITION stride, int lo0, int lo1, int hi0, int hi1",
    "#define CELL int i = lo0 + (int)get_global_id(1), j = lo1 + (int)get_global_id(0); \\",
    "    long at = origin + i * stride + j; if (i > hi0 || j > hi1) return",
    "#define IN __global const float *",
    "#define OUT __global float *",
    "#define COMMA ,",
    "__kernel void source_row(ARGS(OUT ey COMMA IN pulse COMMA STENCIL_POSITION pulse_origin COMMA long step)) {",
    "    CELL; ey[at] = pulse[pulse_origin + step];",
    "}",
    "__kernel void update_ey(ARGS(IN old COMMA OUT ey COMMA IN hz)) {",
    "    CELL; ey[at] = old[at] - (hz[at] - hz[at - stride]) / 3.0f;",
    "}",
    "__kernel void update_ex(ARGS(IN old COMMA OUT ex COMMA IN hz)) {",
    "    CELL; ex[at] = old[at] - (hz[at] - hz[at - 1]) / 3.0f;",
    "}",
    "__kernel void update_hz(ARGS(IN old COMMA OUT hz COMMA IN ex COMMA IN ey)) {",
    "    CELL; hz[at] = old[at] - (ex[at + 1] - ex[at] + ey[at + stride] - ey[at]) / 7.0f;",
    "}",
};

enum { EY, EX, HZ, PULSE };

#define GRID_ARGS(sweep)                                                                                               \
    {STENCIL_ARG_ORIGIN, 0, 0}, {STENCIL_ARG_STRIDE, 0, 0}, {STENCIL_ARG_DOMAIN_LO, sweep, 0},                         \
        {STENCIL_ARG_DOMAIN_LO, sweep, 1}, {STENCIL_ARG_DOMAIN_HI, sweep, 0}, {STENCIL_ARG_DOMAIN_HI, sweep, 1}

static const stencil_arg source_args[] = {
    {STENCIL_ARG_OUTPUT, EY, 0}, {STENCIL_ARG_INPUT, PULSE, 0}, {STENCIL_ARG_ORIGIN, 1, 0}, {STENCIL_ARG_STEP, 0, 0},
    GRID_ARGS(0),
};
static const stencil_arg ey_args[] = {
    {STENCIL_ARG_INPUT, EY, 0}, {STENCIL_ARG_OUTPUT, EY, 0}, {STENCIL_ARG_INPUT, HZ, 0}, GRID_ARGS(1),
};
static const stencil_arg ex_args[] = {
    {STENCIL_ARG_INPUT, EX, 0}, {STENCIL_ARG_OUTPUT, EX, 0}, {STENCIL_ARG_INPUT, HZ, 0}, GRID_ARGS(2),
};
static const stencil_arg hz_args[] = {
    {STENCIL_ARG_INPUT, HZ, 0}, {STENCIL_ARG_OUTPUT, HZ, 0}, {STENCIL_ARG_INPUT, EX, 0}, {STENCIL_ARG_INPUT, EY, 0},
    GRID_ARGS(3),
};
static const stencil_kernel kernels[] = {
    {"source_row", 0, 0, 2, {16, 1, 1}, {0, 0, 0, 0}, {0}, {0}, {0}, 0, 0, 0, 0, 10, source_args},
    {"update_ey", 0, 1, 2, {16, 4, 1}, {0, 0, 0, 0}, {0}, {0}, {0}, 0, 0, 0, 0, 9, ey_args},
    {"update_ex", 0, 2, 2, {16, 4, 1}, {0, 0, 0, 0}, {0}, {0}, {0}, 0, 0, 0, 0, 9, ex_args},
    {"update_hz", 0, 3, 2, {16, 4, 1}, {0, 0, 0, 0}, {0}, {0}, {0}, 0, 0, 0, 0, 10, hz_args},
};
static const stencil_plan plans[] = {
    {"sweeps", 1, 0, 0, {1, 1, 0, 0}, {1, 1, 0, 0}, 4, kernels, NULL, NULL, 0, 0},
    {"tiles", 0, 0, 0, {3, 3, 0, 0}, {4, 4, 0, 0}, 4, kernels, NULL, NULL, 0, 0},
};
static const stencil_region region = {
    "fdtd", "fdtd.c:1", source, sizeof source / sizeof *source, 1, "", 0, 1, 0, 2, plans, 0, 0, NULL, NULL,
};

typedef struct {
    int n, m, steps;
} parameters;

enum { MAX_STEPS = 40 };

static void reference(void *const *bases, const void *context)
{
    const parameters *p = context;
    float *ey = bases[EY], *ex = bases[EX], *hz = bases[HZ];
    const float *pulse = bases[PULSE];
    int n = p->n, m = p->m;
    for (int t = 0; t < p->steps; t++) {
        for (int j = 0; j < m; j++)
            ey[j] = pulse[t];
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                ey[i * m + j] = ey[i * m + j] - (hz[i * m + j] - hz[(i - 1) * m + j]) / 3.0f;
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++)
                ex[i * m + j] = ex[i * m + j] - (hz[i * m + j] - hz[i * m + j - 1]) / 3.0f;
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                hz[i * m + j] = hz[i * m + j] - (ex[i * m + j + 1] - ex[i * m + j] + ey[(i + 1) * m + j] -
                                                 ey[i * m + j]) / 7.0f;
    }
}

static int run_fdtd(const parameters *p, float *const *values)
{
    stencil_box all = {{0, 0}, {p->n - 1, p->m - 1}}, line = {{0}, {p->steps - 1}};
    stencil_box row = {{0, 0}, {0, p->m - 1}}, ey = {{1, 0}, {p->n - 1, p->m - 1}};
    stencil_box ex = {{0, 1}, {p->n - 1, p->m - 1}}, hz = {{0, 0}, {p->n - 2, p->m - 2}};
    stencil_array arrays[4] = {
        {"ey", values[EY], sizeof(float), 2, {p->m, 1}, all, 1, 1, 0, 0, STENCIL_REAL},
        {"ex", values[EX], sizeof(float), 2, {p->m, 1}, all, 1, 1, 0, 0, STENCIL_REAL},
        {"hz", values[HZ], sizeof(float), 2, {p->m, 1}, all, 1, 1, 0, 0, STENCIL_REAL},
        {"pulse", values[PULSE], sizeof(float), 1, {1}, line, 1, 0, 0, 0, STENCIL_REAL},
    };
    stencil_layout layouts[2] = {{2, all}, {1, line}};
    stencil_field fields[4] = {
        {"ey", sizeof(float), 0, 1, 1, {EY}},
        {"ex", sizeof(float), 0, 1, 1, {EX}},
        {"hz", sizeof(float), 0, 1, 1, {HZ}},
        {"pulse", sizeof(float), 1, 1, 0, {PULSE}},
    };
    stencil_sweep sweeps[4] = {{"ey", 2, row}, {"ey", 2, ey}, {"ex", 2, ex}, {"hz", 2, hz}};
    stencil_result results[3] = {{EY, EY, 0, all, NULL}, {EX, EX, 0, ex, NULL}, {HZ, HZ, 0, hz, NULL}};
    stencil_call call = {0, 0, NULL, NULL, p->steps, 2,       all,    4,      2,       4,    4, 3,        0,
                         arrays,   layouts, fields, sweeps, results, NULL, p, sizeof *p, 0, NULL, 0, NULL, 0, NULL};
    return run_rewritten(&region, &call, reference) == loops_run();
}

static int compare_fdtd(int n, int m, int steps)
{
    parameters p = {n, m, steps};
    size_t cells[4];
    float *values[4];
    void *expected[4];
    int failures = 0;
    char test[80];
    for (int a = 0; a < 4; a++) {
        cells[a] = a == PULSE ? MAX_STEPS : (size_t)(n * m);
        values[a] = malloc(cells[a] * sizeof(float));
        expected[a] = malloc(cells[a] * sizeof(float));
        for (size_t i = 0; i < cells[a]; i++)
            values[a][i] = (float)((i * 7919 + (size_t)a * 31) % 1009) / 11.0f;
        memcpy(expected[a], values[a], cells[a] * sizeof(float));
    }
    snprintf(test, sizeof test, "fdtd %d x %d, %d steps", n, m, steps);
    reference(expected, &p);
    failures += expect(test, run_fdtd(&p, values));
    for (int a = 0; a < 4; a++) {
        failures += expect_same(test, expected[a], values[a], cells[a] * sizeof(float));
        free(values[a]);
        free(expected[a]);
    }
    return failures;
}

int test_fdtd(void)
{
    return compare_fdtd(1, 1, 3) + compare_fdtd(2, 1, 3) + compare_fdtd(1, 17, 2) + compare_fdtd(5, 16, 1) +
           compare_fdtd(33, 50, MAX_STEPS);
}
