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
    {STENCIL_ARG_INPUT, 0, 0},  {STENCIL_ARG_OUTPUT, 0, 0},  {STENCIL_ARG_OUTPUT, 1, 0},  {STENCIL_ARG_OUTPUT, 2, 0},
    {STENCIL_ARG_ORIGIN, 0, 0}, {STENCIL_ARG_TILE_LO, 0, 0}, {STENCIL_ARG_TILE_HI, 0, 0},
};
static const stencil_kernel kernel = {"tile", 1, 0, 1, {8, 1, 1}, {8, 0, 0, 0}, {0}, {0}, {0}, 0, 0, 0, 0, 7, args};
static const stencil_plan plan = {"tiles", 0, 0, 0, {0, 0, 0, 0}, {0, 0, 0, 0}, 1, &kernel, NULL, NULL, 0, 0};
static const stencil_region region = {
    "faulty", "faults.c:1", source, sizeof source / sizeof *source, 1, "", 0, 0, 0, 1, &plan, 0, 0, NULL, NULL,
};

enum { CELLS = 20 };

static int run(int *a, int *b, long long steps)
{
    stencil_box box = {{0}, {CELLS - 1}};
    stencil_array arrays[2] = {
        {"a", a, sizeof(int), 1, {1}, box, 1, 1, 0, 0, STENCIL_INTEGER},
        {"b", b, sizeof(int), 1, {1}, box, 1, 1, 0, 0, STENCIL_INTEGER},
    };
    stencil_layout layout = {1, box};
    stencil_field fields[3] = {
        {"a", sizeof(int), 0, 1, 1, {0}},
        {"b", sizeof(int), 0, 1, 1, {1}},
        {"c", sizeof(int), 0, 1, 1, {-1}},
    };
    stencil_sweep sweep = {"a", 1, box};
    stencil_result results[2] = {{0, 0, 0, box, NULL}, {1, 1, 0, box, NULL}};
    stencil_call call = {0, 0, NULL, NULL, steps,  1,       box,    2,      1,       3,    1,    2,   0,
                         arrays, &layout, fields, &sweep, results, NULL, NULL, 0, 0, NULL, 0, NULL, 0, NULL};
    return stencil_run(&region, &call, NULL);
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
