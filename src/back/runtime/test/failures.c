/* What the runtime must refuse, survive or work around. `test/run` looks at the messages. */

#include "runtime.h"

#include "check.h"
#include "rewritten.h"

#include <pthread.h>
#include <sys/wait.h>

/* Adds 1 to every element; the tile kernel is wrong on purpose, so that its use shows. */
static const char *const source[] = {
    "#ifdef BROKEN",
    "#error a broken kernel",
    "#endif",
    "#if defined GREEDY && STENCIL_KERNELS & 1",
    "#error the device has no room for the tile kernel",
    "#endif",
    "__kernel void sweep(__global const int *in, __global int *out, STENCIL_POSITION origin, int lo, int hi) {",
    "    int x = lo + (int)get_global_id(0);",
    "    if (x <= hi) out[origin + x] = in[origin + x] + 1;",
    "}",
    "__kernel void tile(__global const int *in, __global int *out, STENCIL_POSITION origin, int lo, int hi) {",
    "    int x = lo + (int)get_global_id(0);",
    "    if (x <= hi) out[origin + x] = in[origin + x] + 2;",
    "}",
};
static const stencil_arg tile_args[] = {
    {.kind = STENCIL_ARG_INPUT}, {.kind = STENCIL_ARG_OTHER}, {.kind = STENCIL_ARG_ORIGIN},
    {.kind = STENCIL_ARG_DOMAIN_LO}, {.kind = STENCIL_ARG_DOMAIN_HI},
};
static const stencil_swap swap = {.slot = 0};
static const stencil_arg sweep_args[] = {
    {.kind = STENCIL_ARG_INPUT}, {.kind = STENCIL_ARG_IN_PLACE}, {.kind = STENCIL_ARG_ORIGIN},
    {.kind = STENCIL_ARG_DOMAIN_LO}, {.kind = STENCIL_ARG_DOMAIN_HI},
};
static const stencil_kernel kernels[] = {
    {.name = "tile", .levels = 1, .rank = 1, .work_group = {8, 1, 1}, .tile = {8}, .arg_count = 5,
     .args = tile_args, .swap_count = 1, .swaps = &swap},
    {.name = "sweep", .rank = 1, .work_group = {8, 1, 1}, .arg_count = 5, .args = sweep_args},
};
static const stencil_kernel huge_kernels[] = {
    {.name = "tile", .levels = 1, .rank = 1, .work_group = {1 << 20, 1, 1}, .tile = {8}, .arg_count = 5,
     .args = tile_args, .swap_count = 1, .swaps = &swap},
};

static const stencil_plan sweeps = {.name = "sweeps", .kernel_count = 1, .kernels = kernels + 1};
static const stencil_plan tiles = {.name = "tiles", .margin_hi = {7}, .kernel_count = 2, .kernels = kernels};
static const stencil_plan greedy = {
    .name = "greedy", .local_bytes = (size_t)1 << 40, .margin_hi = {7}, .kernel_count = 2, .kernels = kernels,
};
static const stencil_plan huge_then_sweeps[] = {
    {.name = "huge", .kernel_count = 1, .kernels = huge_kernels},
    {.name = "sweeps", .number = 1, .kernel_count = 1, .kernels = kernels + 1},
};

static const stencil_nest nest = {
    .name = "increment", .where = "failures.c:1", .source = source, .source_lines = sizeof source / sizeof *source,
    .number = 1, .build_options = "", .plan_count = 1, .plans = &sweeps,
};
static const stencil_nest broken_nest = {
    .name = "broken", .where = "failures.c:2", .source = source, .source_lines = sizeof source / sizeof *source,
    .number = 1, .build_options = "-D BROKEN", .plan_count = 1, .plans = &sweeps,
};
static const stencil_nest greedy_nest = {
    .name = "greedy", .where = "failures.c:3", .source = source, .source_lines = sizeof source / sizeof *source,
    .number = 1, .build_options = "-D GREEDY", .plan_count = 1, .plans = &greedy,
};
static const stencil_nest huge_nest = {
    .name = "huge", .where = "failures.c:4", .source = source, .source_lines = sizeof source / sizeof *source,
    .number = 1, .build_options = "", .plan_count = 2, .plans = huge_then_sweeps,
};
static const stencil_nest wrong_nest = {
    .name = "wrong", .where = "failures.c:5", .source = source, .source_lines = sizeof source / sizeof *source,
    .number = 1, .build_options = "", .plan_count = 1, .plans = &tiles,
};
static const stencil_nest fatal_nest = {
    .name = "fatal", .where = "failures.c:6", .source = source, .source_lines = sizeof source / sizeof *source,
    .number = 1, .build_options = "-D BROKEN", .no_fallback = 1, .plan_count = 1, .plans = &sweeps,
};

enum { CELLS = 20 };

/* An array of CELLS elements and a second one that is only written elsewhere; tests change what they want to break. */
typedef struct {
    int values[2 * CELLS];
    stencil_array arrays[2];
    stencil_layout layout;
    stencil_field field;
    stencil_sweep sweep;
    stencil_result result;
    stencil_call call;
} example;

static void reference(void *const *bases, const void *context)
{
    int *values = bases[0];
    const example *e = context;
    for (int i = 0; i < CELLS; i++)
        values[i] += (int)e->call.steps;
}

static void make(example *e, long long steps)
{
    static const stencil_box box = {{0, 0, 0, 0}, {CELLS - 1, 0, 0, 0}};
    memset(e, 0, sizeof *e);
    e->arrays[0].name = "a";
    e->arrays[1].name = "b";
    for (int i = 0; i < 2; i++) {
        e->arrays[i].base = e->values + i * CELLS;
        e->arrays[i].element_size = sizeof(int);
        e->arrays[i].rank = 1;
        e->arrays[i].stride[0] = 1;
        e->arrays[i].used = box;
    }
    e->arrays[0].is_written = 1;
    e->layout.rank = e->sweep.rank = e->call.rank = 1;
    e->layout.box = e->sweep.domain = e->call.tiled = e->result.box = box;
    e->field.name = "a";
    e->field.element_size = sizeof(int);
    e->field.slots = e->field.is_written = 1;
    e->call.steps = steps;
    e->call.array_count = 2;
    e->call.layout_count = e->call.field_count = e->call.sweep_count = e->call.result_count = 1;
    e->call.arrays = e->arrays;
    e->call.layouts = &e->layout;
    e->call.fields = &e->field;
    e->call.sweeps = &e->sweep;
    e->call.results = &e->result;
    e->call.context = e;
}

/* Runs the example: the call's answer must be `done`, and the elements must all be `value`. */
static int check(const char *test, const stencil_nest *described, example *e, int done, int value)
{
    int failures = expect(test, stencil_run(described, &e->call, NULL) == done);
    for (int i = 0; i < CELLS && failures == 0; i++)
        failures = expect(test, e->values[i] == value && e->values[CELLS + i] == 0);
    return failures;
}

static int test_overlap(void)
{
    example e;
    int failures;
    make(&e, 3);
    e.arrays[1].base = e.values + CELLS - 1;
    failures = check("overlap", &nest, &e, 0, 0) + check("overlap again", &nest, &e, 0, 0);
    e.arrays[0].is_restrict = 1;
    failures += check("overlap vouched for", &nest, &e, 1, 3);
    make(&e, 3);
    e.arrays[0].rank = 2;
    e.arrays[0].stride[0] = 4;
    e.arrays[0].stride[1] = 1;
    e.arrays[0].used.hi[0] = 2;
    e.arrays[0].used.hi[1] = 4;
    return failures + check("two index vectors", &nest, &e, 0, 0);
}

static int test_sizes(void)
{
    example e;
    int failures;
    make(&e, 1);
    e.call.tiled.hi[0] = e.sweep.domain.hi[0] = 1LL << 31;
    failures = check("32 bits", &nest, &e, 0, 0);
    make(&e, 1);
    e.call.array_count = 1;
    e.call.result_count = 0;
    /* Elements so large that no machine has a buffer for them all. */
    e.arrays[0].element_size = e.field.element_size = 4096;
    e.arrays[0].used.hi[0] = e.layout.box.hi[0] = e.sweep.domain.hi[0] = e.call.tiled.hi[0] = INT_MAX - 100;
    failures += check("memory", &nest, &e, 0, 0);
    e.arrays[0].used.hi[0] = LLONG_MAX / 2;
    return failures + check("overflow", &nest, &e, 0, 0);
}

static int test_nothing_to_do(void)
{
    example e;
    int failures;
    make(&e, 0);
    failures = check("no steps", &broken_nest, &e, 1, 0);
    make(&e, 5);
    e.sweep.domain.hi[0] = e.result.box.hi[0] = -1;
    return failures + check("empty domain", &broken_nest, &e, 1, 0);
}

static int test_other_kernels(void)
{
    example e;
    int failures;
    make(&e, 4);
    failures = check("too much local memory", &greedy_nest, &e, 1, 4);
    make(&e, 4);
    return failures + check("work-group too large", &huge_nest, &e, 1, 4);
}

static int test_fork(void)
{
    example e;
    int status = 1;
    pid_t child;
    make(&e, 2);
    fflush(NULL);
    child = fork();
    if (child == 0)
        _exit(check("fork", &nest, &e, 0, 0));
    waitpid(child, &status, 0);
    return expect("fork", status == 0);
}

static void *run_often(void *failures)
{
    for (int i = 0; i < 50; i++) {
        example e;
        make(&e, i);
        *(int *)failures += check("several threads", i % 2 ? &nest : &huge_nest, &e, 1, i);
    }
    return NULL;
}

static int test_threads(void)
{
    pthread_t threads[4];
    int failures[4] = {0, 0, 0, 0}, sum = 0;
    for (int i = 0; i < 4; i++)
        sum += expect("pthread_create", pthread_create(&threads[i], NULL, run_often, &failures[i]) == 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        sum += failures[i];
    }
    return sum;
}

int test_failures(void)
{
    example e;
    int failures = test_nothing_to_do();
    make(&e, 3);
    failures += check("broken kernel", &broken_nest, &e, 0, 0) + check("broken kernel", &broken_nest, &e, 0, 0);
    return failures + test_overlap() + test_sizes() + test_other_kernels() + test_threads() + test_fork();
}

/* With STENCIL_DEVICE=none, say. */
int test_refused(void)
{
    example e;
    make(&e, 3);
    return check("refused", &nest, &e, 0, 0) + check("refused", &nest, &e, 0, 0);
}

/* With STENCIL_VERIFY=1: the original's results stay, the device's are twice as large. */
int test_wrong_kernel(void)
{
    example e;
    int failures;
    make(&e, 3);
    failures = expect("wrong kernel", run_rewritten(&wrong_nest, &e.call, reference) == 1);
    for (int i = 0; i < CELLS; i++)
        failures += expect("the original's results", e.values[i] == 3);
    return failures;
}

/* Must not return. */
int test_fatal(void)
{
    example e;
    make(&e, 3);
    stencil_run(&fatal_nest, &e.call, NULL);
    return expect("fatal", 0);
}
