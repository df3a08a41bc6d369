/* Arrays whose rows are found through tables of pointers. */

/* Some rows go together, and one in pieces. */
#define STENCIL_STAGE_BYTES 64
#include "runtime.h"

#include "check.h"
#include "rewritten.h"

enum { ROWS = 7, PLACES = 40, BEFORE = 8 };

/* Adds 1 to every element of the box, whether there is one on the host or not. */
static const char *const source[] = {
    "__kernel void sweep(__global const int *in, __global int *out, STENCIL_POSITION origin, STENCIL_POSITION stride,",
    "                    int hi0, int hi1) {",
    "    int x = get_global_id(0), y = get_global_id(1);",
    "    if (x <= hi1 && y <= hi0) out[origin + y * stride + x] = in[origin + y * stride + x] + 1;",
    "}",
};
static const stencil_arg args[] = {
    {.kind = STENCIL_ARG_INPUT},     {.kind = STENCIL_ARG_IN_PLACE},  {.kind = STENCIL_ARG_ORIGIN},
    {.kind = STENCIL_ARG_STRIDE},    {.kind = STENCIL_ARG_DOMAIN_HI}, {.kind = STENCIL_ARG_DOMAIN_HI, .dimension = 1},
};
static const stencil_kernel kernel = {.name = "sweep", .rank = 2, .work_group = {8, 1, 1}, .arg_count = 6, .args = args};
static const stencil_plan plan = {.name = "sweeps", .kernel_count = 1, .kernels = &kernel};
static const stencil_nest nest = {
    .name = "rows", .where = "rows.c:1", .source = source, .source_lines = sizeof source / sizeof *source,
    .number = 1, .build_options = "", .plan_count = 1, .plans = &plan,
};

static const stencil_box box = {{0, 0}, {ROWS - 1, 19}};

/* Row 0 is long, row 1 has one element, row 2 is not there, the others are equally long. */
static int used(const long long *cell, long long *lo, long long *hi, const void *context)
{
    static const long long first[ROWS] = {0, 3, 0, 2, 2, 2, 2}, last[ROWS] = {19, 3, -1, 9, 9, 9, 9};
    *lo = first[cell[0]];
    *hi = last[cell[0]];
    (void)context;
    return *lo <= *hi;
}

/* Memory with rows in it, and what surrounds them. */
typedef struct {
    int memory[ROWS][PLACES], expected[ROWS][PLACES];
    int *rows[ROWS];
    stencil_array arrays[2];
    stencil_layout layout;
    stencil_field field;
    stencil_sweep sweep;
    stencil_result result;
    stencil_call call;
} grid;

static void make(grid *g, long long steps)
{
    memset(g, 0, sizeof *g);
    for (int i = 0; i < ROWS; i++) {
        long long cell[] = {i, 0}, lo, hi;
        g->rows[i] = i == 2 ? (int *)sizeof *g->rows : g->memory[i] + BEFORE;
        for (int j = 0; j < PLACES; j++)
            g->memory[i][j] = g->expected[i][j] = 100 * i + j;
        if (used(cell, &lo, &hi, NULL))
            for (long long j = lo; j <= hi; j++)
                g->expected[i][BEFORE + j] += (int)steps;
    }
    g->arrays[0] = (stencil_array){
        .name = "a", .base = g->rows, .element_size = sizeof(int), .rank = 2, .stride = {1, 1}, .is_pointer = {1},
        .used = box, .row = used, .spacing = 1, .is_written = 1, .kind = STENCIL_INTEGER,
    };
    g->layout = (stencil_layout){2, box};
    g->field = (stencil_field){.name = "a", .element_size = sizeof(int), .slots = 1, .is_written = 1};
    g->sweep = (stencil_sweep){"a", 2, box, 0};
    g->result = (stencil_result){.box = box};
    g->call = (stencil_call){
        .steps = steps, .rank = 2, .tiled = box, .array_count = 1, .layout_count = 1, .field_count = 1, .sweep_count = 1,
        .result_count = 1, .arrays = g->arrays, .layouts = &g->layout, .fields = &g->field, .sweeps = &g->sweep,
        .results = &g->result,
    };
}

/* The loops that the nest stands for. */
static void loops(void *const *bases, const void *context)
{
    int **rows = bases[0];
    (void)context;
    for (long long i = 0; i < ROWS; i++) {
        long long lo, hi;
        if (used(&i, &lo, &hi, NULL))
            for (long long j = lo; j <= hi; j++)
                rows[i][j] += 3;
    }
}

/* Elements of used rows alone are read and written. */
static int test_transfers(void)
{
    grid g;
    int failures;
    make(&g, 3);
    failures = expect("rows", run_rewritten(&nest, &g.call, loops) == loops_run());
    return failures + expect_same("rows", g.expected, g.memory, sizeof g.memory);
}

/* Pointers to pointers, blocks behind them, and arrays that a pointer leads to. */
static int test_addresses(void)
{
    static double values[60];
    double *planes[] = {values, values + 20, values + 40}, **tables[] = {planes + 1, planes};
    void *place = tables;
    const long long cell[] = {1, 2, 3, 4};
    const stencil_array deep = {.base = tables, .element_size = sizeof(double), .rank = 4, .stride = {1, 1, 5, 1},
                                .is_pointer = {1, 1}};
    const stencil_array flat = {.base = planes, .element_size = sizeof(double), .rank = 2, .stride = {2, 1}, .is_pointer = {0, 1}};
    const stencil_array behind = {.base = &place, .element_size = sizeof(double), .rank = 4, .stride = {1, 1, 5, 1},
                                  .is_pointer = {1, 1}, .is_behind_pointer = 1};
    const long long pair[] = {1, 0};
    return expect("two levels", stencil_element(&deep, cell) == (char *)(values + 40 + 3 * 5 + 4)) +
           expect("a table of two dimensions", stencil_element(&flat, pair) == (char *)(values + 40)) +
           expect("behind a pointer", stencil_element(&behind, cell) == (char *)(values + 40 + 3 * 5 + 4)) +
           expect("an element of no row", *(const int *)stencil_used_element(NULL, cell) == 0);
}

/* The reason why a call is refused, or an empty one. */
static const char *refusal(const stencil_call *call)
{
    static stencil_failure failure;
    memset(&failure, 0, sizeof failure);
    return stencil_check_arrays(call, &failure) && stencil_check_rows(call, &failure) ? "" : failure.reason;
}

static int says(const stencil_call *call, const char *reason)
{
    return expect(reason, strcmp(refusal(call), reason) == 0);
}

/* Rows of one array, rows of two, and what is no row. */
static int test_overlap(void)
{
    static stencil_variable variable = {"n", NULL, sizeof(int), 0};
    grid g;
    int failures;
    make(&g, 1);
    failures = says(&g.call, "");
    g.rows[4] = g.rows[3] + 7;
    failures += says(&g.call, "rows of array a overlap");
    g.rows[4] = g.rows[3] + 8;
    failures += says(&g.call, "");
    g.arrays[1] = g.arrays[0];
    g.arrays[1].name = "b";
    g.arrays[1].is_written = 0;
    g.call.array_count = 2;
    failures += says(&g.call, "arrays a and b overlap");
    g.arrays[1].is_restrict = 1;
    failures += says(&g.call, "");
    g.arrays[1] = (stencil_array){.name = "b", .base = g.memory[5], .element_size = sizeof(int), .rank = 1, .stride = {1},
                                  .used = {{0}, {BEFORE + 1}}};
    failures += says(&g.call, "");
    g.arrays[1].used.hi[0]++;
    failures += says(&g.call, "arrays a and b overlap");
    g.arrays[0].is_written = 0;
    failures += says(&g.call, "");
    g.arrays[1] = (stencil_array){.name = "b", .base = g.rows + 1, .element_size = sizeof(int), .rank = 1, .stride = {1},
                                  .used = {{0}, {0}}, .is_written = 1};
    failures += says(&g.call, "array b may change the pointers to rows of array a");
    g.arrays[1].base = g.rows + 2;
    failures += says(&g.call, "");
    make(&g, 1);
    variable.address = g.memory[6] + BEFORE + 9;
    g.call.variable_count = 1;
    g.call.variables = &variable;
    failures += says(&g.call, "array a may change the variable n");
    g.arrays[0].is_written = 0;
    failures += says(&g.call, "");
    variable.is_left = 1;
    failures += says(&g.call, "the variable n may change array a");
    variable.address = g.memory[6] + BEFORE + 10;
    failures += says(&g.call, "");
    g.arrays[0].is_written = 1;
    return failures + says(&g.call, "");
}

/* A row that is in no order with others is found, too. */
static int test_order(void)
{
    grid g;
    make(&g, 1);
    for (int i = 3; i < ROWS; i++)
        g.rows[i] = g.memory[ROWS - i - 1 + 3] + BEFORE;
    if (says(&g.call, ""))
        return 1;
    g.rows[6] = g.rows[0] + 10;
    return says(&g.call, "rows of array a overlap");
}

/* The only row of a plane is that of the plane's number. */
static int diagonal_row(const long long *cell, long long *lo, long long *hi, const void *context)
{
    (void)context;
    *lo = 0;
    *hi = 4;
    return cell[0] == cell[1];
}

/* Rows that may not be there: all that is used must be memory, and what is stored evenly spaced. */
static int test_assumed(void)
{
    static const char *const reason = "array a may be smaller than what the nest could use of it";
    static int values[3][4][5];
    int *tables[3][4], **planes[3] = {tables[0], tables[1], tables[2]};
    grid g;
    int failures;
    make(&g, 1);
    g.arrays[0].is_assumed = 1;
    failures = says(&g.call, "");
    g.rows[5] = g.memory[6] + BEFORE;
    g.rows[6] = g.memory[5] + BEFORE;
    failures += says(&g.call, reason);
    g.arrays[0].is_written = 0;
    failures += says(&g.call, "");
    g.rows[5] = NULL;
    failures += says(&g.call, reason);
    make(&g, 1);
    for (int i = 0; i < 12; i++)
        tables[i / 4][i % 4] = values[i / 4][i % 4];
    g.arrays[0] = (stencil_array){.name = "a", .base = planes, .element_size = sizeof(int), .rank = 3, .stride = {1, 1, 1},
                                  .is_pointer = {1, 1}, .used = {{0, 1, 0}, {2, 2, 4}}, .is_written = 1, .is_assumed = 1};
    failures += says(&g.call, "");
    tables[1][2] = values[0][0];
    failures += says(&g.call, reason);
    tables[1][2] = values[1][2];
    g.arrays[0].used = (stencil_box){{0, 0, 0}, {2, 2, 4}};
    g.arrays[0].row = diagonal_row;
    failures += says(&g.call, "");
    g.arrays[0].row = NULL;
    planes[1] = NULL;
    failures += says(&g.call, reason);
    g.arrays[0].base = NULL;
    return failures + says(&g.call, reason);
}

int test_rows(void)
{
    return test_addresses() + test_overlap() + test_order() + test_assumed() + test_transfers();
}
