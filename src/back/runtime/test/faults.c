/* Lets each OpenCL call of a run go wrong in turn: the runtime must then say no and leave the host's memory as it was, or
   say yes with the right results if the failure came after them. The shim of the test suite does it. */

#include "verdict.h"

#include "check.h"
#include "runtime.h"

/* The tile kernel reads and writes a, and writes b; c has no first contents. */
static const char *const source[] = {
    "__kernel void tile(__global const int *a, __global int *next_a, __global int *b, __global int *c,",
    "                   STENCIL_POSITION origin, int lo, int hi) {",
    "    int x = lo + (int)get_global_id(0);",
    "    if (x <= hi) {",
    "        next_a[origin + x] = a[origin + x] + 1;",
    "        b[origin + x] = a[origin + x];",
    "        c[origin + x] = 0;",
    "    }",
    "}",
};
static const stencil_arg args[] = {
    {.kind = STENCIL_ARG_INPUT}, {.kind = STENCIL_ARG_OTHER}, {.kind = STENCIL_ARG_OUTPUT, .field = 1},
    {.kind = STENCIL_ARG_OUTPUT, .field = 2}, {.kind = STENCIL_ARG_ORIGIN}, {.kind = STENCIL_ARG_TILE_LO},
    {.kind = STENCIL_ARG_TILE_HI},
};
static const stencil_swap swap = {.field = 0};
static const stencil_kernel kernel = {
    .name = "tile", .levels = 1, .rank = 1, .work_group = {8, 1, 1}, .tile = {8}, .arg_count = 7, .args = args,
    .swap_count = 1, .swaps = &swap,
};
static const stencil_plan plan = {.name = "tiles", .kernel_count = 1, .kernels = &kernel};
static const stencil_nest nest = {
    .name = "faulty", .where = "faults.c:1", .source = source, .source_lines = sizeof source / sizeof *source,
    .number = 1, .build_options = "", .plan_count = 1, .plans = &plan,
};

enum { CELLS = 20 };

static int run(int *a, int *b, long long steps)
{
    stencil_box box = {{0}, {CELLS - 1}};
    stencil_array arrays[2] = {
        {.name = "a", .base = a, .element_size = sizeof(int), .rank = 1, .stride = {1}, .used = box, .spacing = 1,
         .is_written = 1, .kind = STENCIL_INTEGER},
        {.name = "b", .base = b, .element_size = sizeof(int), .rank = 1, .stride = {1}, .used = box, .spacing = 1,
         .is_written = 1, .kind = STENCIL_INTEGER},
    };
    stencil_layout layout = {1, box};
    stencil_field fields[3] = {
        {.name = "a", .element_size = sizeof(int), .slots = 1, .is_written = 1},
        {.name = "b", .element_size = sizeof(int), .slots = 1, .is_written = 1, .initial = {1}},
        {.name = "c", .element_size = sizeof(int), .slots = 1, .is_written = 1, .initial = {-1}},
    };
    stencil_sweep sweep = {"a", 1, box, 0};
    stencil_result results[2] = {
        {.box = box},
        {.array = 1, .field = 1, .box = box},
    };
    stencil_call call = {
        .steps = steps, .rank = 1, .tiled = box, .array_count = 2, .layout_count = 1, .field_count = 3,
        .sweep_count = 1, .result_count = 2, .arrays = arrays, .layouts = &layout, .fields = fields,
        .sweeps = &sweep, .results = results,
    };
    return stencil_run(&nest, &call, NULL);
}

/* Runs with a fault, "" for none; `refused` counts the runs that said no. */
static int check(const char *wish, long long steps, int *refused)
{
    int a[CELLS], b[CELLS], is_done, failures = 0;
    for (int i = 0; i < CELLS; i++) {
        a[i] = i;
        b[i] = -i;
    }
    faults_set(wish);
    is_done = run(a, b, steps);
    *refused += !is_done;
    for (int i = 0; i < CELLS; i++)
        failures += is_done ? a[i] != i + steps || b[i] != i + steps - 1 : a[i] != i || b[i] != -i;
    if (failures > 0)
        printf("with %s:\n", wish);
    return expect(is_done ? "right results" : "memory unchanged", failures == 0);
}

/* Lets the first call go wrong, the second, and so on until there is none; a mode says in what way. */
static int check_each(const char *mode)
{
    const long long steps = 70;
    int refused = 0, calls = 0, failures = 0;
    char wish[64];
    do {
        snprintf(wish, sizeof wish, "*:%d:%s:-5", ++calls, mode);
        failures += check(wish, steps, &refused);
    } while (faults_has_struck());
    /* Each launch sets seven arguments; four buffers are made and filled before, two results mapped after. */
    return failures + expect("every call has failed once", refused > steps * 8 + 10 && refused < calls);
}

/* Lets the launches fail on the device in turn, so that no call returns an error or only those that wait. */
static int check_launches(const char *mode)
{
    const long long steps = 70;
    int refused = 0, launches = 0, failures = 0;
    char wish[64];
    do {
        snprintf(wish, sizeof wish, "clEnqueueNDRangeKernel:%d:%s:-5", ++launches, mode);
        failures += check(wish, steps, &refused);
    } while (faults_has_struck());
    return failures + expect("every launch has failed once", refused == steps);
}

int test_faults(void)
{
    int refused = 0;
    int failures = check("", 70, &refused) + expect("no fault", refused == 0);
    failures += check_each("instead") + check_each("after") + check_each("lost");
    return failures + check_launches("event") + check_launches("sticky");
}
