/* Kernels that wait inside branches, each of which ends with conditions on single work-items: compilers that merge the ends
   of the branches before they look for barriers have the first work-item decide for all. */

#include "check.h"
#include "runtime.h"

enum { ITEMS = 16, CELLS = 4 * ITEMS };

static const char *const source[] = {
    "#define HAND_ON(more) \\",
    "    barrier(CLK_LOCAL_MEM_FENCE); \\",
    "    given[item + 1] = value; \\",
    "    barrier(CLK_LOCAL_MEM_FENCE); \\",
    "    const int left = given[item], own = given[item + 1]; \\",
    "    if (item > 3) { \\",
    "        if (item & 1) \\",
    "            next_a[at] = left + more; \\",
    "        if (item & 2) \\",
    "            next_a[at] = own + more; \\",
    "    } \\",
    "    barrier(CLK_LOCAL_MEM_FENCE);",
    "__kernel __attribute__((reqd_work_group_size(16, 1, 1)))",
    "void tile(__global const int *restrict a, __global int *restrict next_a, const STENCIL_POSITION origin,",
    "          const int lo) {",
    "    __local int given[17];",
    "    const int item = (int)get_local_id(0);",
    "    const int group = (int)get_group_id(0);",
    "    const long at = origin + lo + group * 16 + item;",
    "    const int value = a[at];",
    "    next_a[at] = -1;",
    "    if (group > 2) {",
    "        HAND_ON(0)",
    "    } else if (group > 0) {",
    "        HAND_ON(1000)",
    "    }",
    "}",
};
static const stencil_arg args[] = {
    {STENCIL_ARG_INPUT, 0, 0}, {STENCIL_ARG_OUTPUT, 0, 0}, {STENCIL_ARG_ORIGIN, 0, 0}, {STENCIL_ARG_TILE_LO, 0, 0},
};
static const stencil_kernel kernel = {"tile", 1, 0, 1, {ITEMS, 1, 1}, {ITEMS, 0, 0, 0}, {0}, {0}, {0}, 0, 0, 0, 0, 4, args};
static const stencil_plan plan = {"tiles", 0, 0, 0, {0, 0, 0, 0}, {0, 0, 0, 0}, 1, &kernel, NULL, NULL, 1, 0};
static const stencil_region region = {
    "handed_on", "barriers.c:1", source, sizeof source / sizeof *source, 1, "", 0, 0, 0, 1, &plan, 0, 0, NULL, NULL,
};

static int expected(int cell)
{
    int group = cell / ITEMS, item = cell % ITEMS, more = group > 2 ? 0 : 1000;
    if (group == 0 || item <= 3 || (item & 3) == 0)
        return -1;
    return item & 2 ? cell + more : cell - 1 + more;
}

int test_barriers(void)
{
    int a[CELLS], failures = 0;
    stencil_box box = {{0}, {CELLS - 1}};
    stencil_array array = {"a", a, sizeof(int), 1, {1}, box, 1, 1, 0, 0, STENCIL_INTEGER};
    stencil_layout layout = {1, box};
    stencil_field field = {"a", sizeof(int), 0, 1, 1, {0}};
    stencil_sweep sweep = {"a", 1, box};
    stencil_result result = {0, 0, 0, box, NULL};
    stencil_call call = {0, 0, NULL, NULL, 1,      1,       box,    1,      1,       1,    1,    1,   0,
                         &array, &layout, &field, &sweep, &result, NULL, NULL, 0, 0, NULL, 0, NULL, 0, NULL};
    for (int i = 0; i < CELLS; i++)
        a[i] = i;
    failures += expect("kernels with nested barriers run", stencil_run(&region, &call, NULL));
    for (int i = 0; i < CELLS; i++)
        failures += a[i] != expected(i);
    return expect("barriers inside branches", failures == 0);
}
