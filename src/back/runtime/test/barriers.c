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
    {.kind = STENCIL_ARG_INPUT}, {.kind = STENCIL_ARG_OTHER}, {.kind = STENCIL_ARG_ORIGIN},
    {.kind = STENCIL_ARG_TILE_LO},
};
static const stencil_swap swap = {.slot = 0};
static const stencil_kernel kernel = {
    .name = "tile", .levels = 1, .rank = 1, .work_group = {ITEMS, 1, 1}, .tile = {ITEMS}, .arg_count = 4,
    .args = args, .swap_count = 1, .swaps = &swap,
};
static const stencil_plan plan = {.name = "tiles", .kernel_count = 1, .kernels = &kernel, .has_nested_barriers = 1};
static const stencil_nest nest = {
    .name = "handed_on", .where = "barriers.c:1", .source = source, .source_lines = sizeof source / sizeof *source,
    .number = 1, .build_options = "", .plan_count = 1, .plans = &plan,
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
    stencil_array array = {
        .name = "a", .base = a, .element_size = sizeof(int), .rank = 1, .stride = {1}, .used = box, .spacing = 1,
        .is_written = 1, .kind = STENCIL_INTEGER,
    };
    stencil_layout layout = {1, box};
    stencil_field field = {.name = "a", .element_size = sizeof(int), .slots = 1, .is_written = 1};
    stencil_sweep sweep = {"a", 1, box, 0};
    stencil_result result = {.box = box};
    stencil_call call = {
        .steps = 1, .rank = 1, .tiled = box, .array_count = 1, .layout_count = 1, .field_count = 1,
        .sweep_count = 1, .result_count = 1, .arrays = &array, .layouts = &layout, .fields = &field,
        .sweeps = &sweep, .results = &result,
    };
    for (int i = 0; i < CELLS; i++)
        a[i] = i;
    failures += expect("kernels with nested barriers run", stencil_run(&nest, &call, NULL));
    for (int i = 0; i < CELLS; i++)
        failures += a[i] != expected(i);
    return expect("barriers inside branches", failures == 0);
}
