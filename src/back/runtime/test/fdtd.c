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

#define GRID_ARGS(number)                                                                                          \
    {.kind = STENCIL_ARG_ORIGIN}, {.kind = STENCIL_ARG_STRIDE},                                                    \
    {.kind = STENCIL_ARG_DOMAIN_LO, .sweep = number},                                                              \
    {.kind = STENCIL_ARG_DOMAIN_LO, .sweep = number, .dimension = 1},                                              \
    {.kind = STENCIL_ARG_DOMAIN_HI, .sweep = number},                                                              \
    {.kind = STENCIL_ARG_DOMAIN_HI, .sweep = number, .dimension = 1}

static const stencil_arg source_args[] = {
    {.kind = STENCIL_ARG_OUTPUT, .field = EY}, {.kind = STENCIL_ARG_INPUT, .field = PULSE},
    {.kind = STENCIL_ARG_ORIGIN, .layout = 1}, {.kind = STENCIL_ARG_STEP},
    GRID_ARGS(0),
};
static const stencil_arg ey_args[] = {
    {.kind = STENCIL_ARG_INPUT, .field = EY}, {.kind = STENCIL_ARG_IN_PLACE, .field = EY},
    {.kind = STENCIL_ARG_INPUT, .field = HZ},
    GRID_ARGS(1),
};
static const stencil_arg ex_args[] = {
    {.kind = STENCIL_ARG_INPUT, .field = EX}, {.kind = STENCIL_ARG_IN_PLACE, .field = EX},
    {.kind = STENCIL_ARG_INPUT, .field = HZ},
    GRID_ARGS(2),
};
static const stencil_arg hz_args[] = {
    {.kind = STENCIL_ARG_INPUT, .field = HZ}, {.kind = STENCIL_ARG_IN_PLACE, .field = HZ},
    {.kind = STENCIL_ARG_INPUT, .field = EX}, {.kind = STENCIL_ARG_INPUT, .field = EY},
    GRID_ARGS(3),
};
static const stencil_kernel kernels[] = {
    {.name = "source_row", .rank = 2, .work_group = {16, 1, 1}, .arg_count = 10, .args = source_args},
    {.name = "update_ey", .sweep = 1, .rank = 2, .work_group = {16, 4, 1}, .arg_count = 9, .args = ey_args},
    {.name = "update_ex", .sweep = 2, .rank = 2, .work_group = {16, 4, 1}, .arg_count = 9, .args = ex_args},
    {.name = "update_hz", .sweep = 3, .rank = 2, .work_group = {16, 4, 1}, .arg_count = 10, .args = hz_args},
};
static const stencil_plan plans[] = {
    {.name = "sweeps", .is_gpu = 1, .margin_lo = {1, 1}, .margin_hi = {1, 1}, .kernel_count = 4, .kernels = kernels},
    {.name = "tiles", .margin_lo = {3, 3}, .margin_hi = {4, 4}, .kernel_count = 4, .kernels = kernels},
};
static const stencil_nest nest = {
    .name = "fdtd", .where = "fdtd.c:1", .source = source, .source_lines = sizeof source / sizeof *source,
    .number = 1, .build_options = "", .needs_exact_float = 1, .plan_count = 2, .plans = plans,
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
        {.name = "ey", .base = values[EY], .element_size = sizeof(float), .rank = 2, .stride = {p->m, 1},
         .used = all, .spacing = 1, .is_written = 1, .kind = STENCIL_REAL},
        {.name = "ex", .base = values[EX], .element_size = sizeof(float), .rank = 2, .stride = {p->m, 1},
         .used = all, .spacing = 1, .is_written = 1, .kind = STENCIL_REAL},
        {.name = "hz", .base = values[HZ], .element_size = sizeof(float), .rank = 2, .stride = {p->m, 1},
         .used = all, .spacing = 1, .is_written = 1, .kind = STENCIL_REAL},
        {.name = "pulse", .base = values[PULSE], .element_size = sizeof(float), .rank = 1, .stride = {1},
         .used = line, .spacing = 1, .kind = STENCIL_REAL},
    };
    stencil_layout layouts[2] = {{2, all}, {1, line}};
    stencil_field fields[4] = {
        {.name = "ey", .element_size = sizeof(float), .slots = 1, .is_written = 1, .initial = {EY}},
        {.name = "ex", .element_size = sizeof(float), .slots = 1, .is_written = 1, .initial = {EX}},
        {.name = "hz", .element_size = sizeof(float), .slots = 1, .is_written = 1, .initial = {HZ}},
        {.name = "pulse", .element_size = sizeof(float), .layout = 1, .slots = 1, .initial = {PULSE}},
    };
    stencil_sweep sweeps[4] = {{"ey", 2, row, 0}, {"ey", 2, ey, 0}, {"ex", 2, ex, 0}, {"hz", 2, hz, 0}};
    stencil_result results[3] = {
        {.array = EY, .field = EY, .box = all},
        {.array = EX, .field = EX, .box = ex},
        {.array = HZ, .field = HZ, .box = hz},
    };
    stencil_call call = {
        .steps = p->steps, .rank = 2, .tiled = all, .array_count = 4, .layout_count = 2, .field_count = 4,
        .sweep_count = 4, .result_count = 3, .arrays = arrays, .layouts = layouts, .fields = fields,
        .sweeps = sweeps, .results = results, .context = p, .context_size = sizeof *p,
    };
    return run_rewritten(&nest, &call, reference) == loops_run();
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
