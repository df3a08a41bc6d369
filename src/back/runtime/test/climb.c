/* Calls that begin with sweep kernels while a thread compiles their tiles: the results are the same whenever these come, or
   do not come, and the end of the program waits. */

#include "verdict.h"

#include "check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <time.h>

static void pause_shortly(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

/* While it is closed, the compiler that the thread calls takes its time. */
static int is_gate_closed;
static __thread int is_caller;

static cl_int build_at_gate(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                            void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    while (!is_caller && __atomic_load_n(&is_gate_closed, __ATOMIC_ACQUIRE))
        pause_shortly();
    return clBuildProgram(program, count, devices, options, notify, data);
}

static void set_gate(int is_closed)
{
    is_caller = 1;
    __atomic_store_n(&is_gate_closed, is_closed, __ATOMIC_RELEASE);
}

/* Whoever takes single steps wants tiles at once. */
#define STENCIL_PATIENCE 0
#define clBuildProgram build_at_gate
#include "runtime.h"

/* Tiles of 4 and of 2 steps. */
static const char *const source[] = {
    "#define STEP(v, x) (3 * (v) + (unsigned)(x))",
    "#define TILE(NAME, LEVELS) \\",
    "__kernel void NAME(__global const unsigned *in, __global unsigned *out, STENCIL_POSITION origin, int lo, int hi) { \\",
    "    int x = lo + (int)get_global_id(0); \\",
    "    if (x > hi) return; \\",
    "    unsigned v = in[origin + x]; \\",
    "    for (int level = 0; level < LEVELS; level++) v = STEP(v, x); \\",
    "    out[origin + x] = v; \\",
    "}",
    "#if STENCIL_KERNELS & 1",
    "TILE(tile4, 4)",
    "#endif",
    "#if STENCIL_KERNELS & 2",
    "TILE(tile2, 2)",
    "#endif",
    "#if STENCIL_KERNELS & 4",
    "__kernel void sweep(__global unsigned *a, STENCIL_POSITION origin, int lo, int hi) {",
    "    int x = lo + (int)get_global_id(0);",
    "    if (x <= hi) a[origin + x] = STEP(a[origin + x], x);",
    "}",
    "#endif",
};
static const stencil_arg tile_args[] = {
    {.kind = STENCIL_ARG_INPUT}, {.kind = STENCIL_ARG_OTHER}, {.kind = STENCIL_ARG_ORIGIN},
    {.kind = STENCIL_ARG_TILE_LO}, {.kind = STENCIL_ARG_TILE_HI},
};
static const stencil_swap swap = {.slot = 0};
static const stencil_arg sweep_args[] = {
    {.kind = STENCIL_ARG_IN_PLACE}, {.kind = STENCIL_ARG_ORIGIN}, {.kind = STENCIL_ARG_DOMAIN_LO},
    {.kind = STENCIL_ARG_DOMAIN_HI},
};
static const stencil_kernel kernels[] = {
    {.name = "tile4", .levels = 4, .rank = 1, .work_group = {8, 1, 1}, .tile = {8}, .leaves_results = 1,
     .arg_count = 5, .args = tile_args, .swap_count = 1, .swaps = &swap},
    {.name = "tile2", .levels = 2, .rank = 1, .work_group = {8, 1, 1}, .tile = {8}, .leaves_results = 1,
     .arg_count = 5, .args = tile_args, .swap_count = 1, .swaps = &swap},
    {.name = "sweep", .rank = 1, .work_group = {8, 1, 1}, .arg_count = 4, .args = sweep_args},
};
/* The deepest tiles leave no results. */
static const stencil_kernel last_kernels[] = {
    {.name = "tile4", .levels = 4, .rank = 1, .work_group = {8, 1, 1}, .tile = {8}, .arg_count = 5,
     .args = tile_args, .swap_count = 1, .swaps = &swap},
    {.name = "last4", .levels = 4, .rank = 1, .work_group = {8, 1, 1}, .tile = {8}, .leaves_results = 1,
     .arg_count = 5, .args = tile_args, .swap_count = 1, .swaps = &swap},
    {.name = "tile2", .levels = 2, .rank = 1, .work_group = {8, 1, 1}, .tile = {8}, .leaves_results = 1,
     .arg_count = 5, .args = tile_args, .swap_count = 1, .swaps = &swap},
    {.name = "sweep", .rank = 1, .work_group = {8, 1, 1}, .arg_count = 4, .args = sweep_args},
};
static const stencil_plan last_plan = {.name = "tiles", .number = 1, .kernel_count = 4, .kernels = last_kernels};
static const stencil_plan plan = {.name = "tiles", .kernel_count = 3, .kernels = kernels};

/* Every nest compiles kernels of its own. */
enum { NESTS = 400, CELLS = 20 };
static stencil_nest nests[NESTS];

static const stencil_nest *new_nest(int roundings)
{
    static int count;
    const stencil_nest nest = {
        .name = "climb", .where = "climb.c:1", .source = source, .source_lines = sizeof source / sizeof *source,
        .number = 1, .build_options = "", .plan_count = 1, .plans = &plan, .roundings = roundings,
    };
    nests[count] = nest;
    return &nests[count++];
}

static int run(const stencil_nest *nest, unsigned *a, long long steps)
{
    stencil_box box = {{0}, {CELLS - 1}};
    stencil_array array = {
        .name = "a", .base = a, .element_size = sizeof *a, .rank = 1, .stride = {1}, .used = box, .spacing = 1,
        .is_written = 1, .kind = STENCIL_INTEGER,
    };
    stencil_layout layout = {1, box};
    stencil_field field = {.name = "a", .element_size = sizeof *a, .slots = 1, .is_written = 1};
    stencil_sweep sweep = {"a", 1, box, 0};
    stencil_result result = {.box = box};
    stencil_call call = {
        .steps = steps, .rank = 1, .tiled = box, .array_count = 1, .layout_count = 1, .field_count = 1,
        .sweep_count = 1, .result_count = 1, .arrays = &array, .layouts = &layout, .fields = &field,
        .sweeps = &sweep, .results = &result,
    };
    return stencil_run(nest, &call, NULL);
}

/* Runs so many steps; `refused` counts calls that say no, and then must have done nothing. */
static int check(const stencil_nest *nest, long long steps, int *refused)
{
    unsigned a[CELLS], expected[CELLS];
    int is_done;
    for (unsigned x = 0; x < CELLS; x++)
        a[x] = expected[x] = 7 * x;
    is_done = run(nest, a, steps);
    *refused += !is_done;
    for (unsigned x = 0; x < CELLS; x++)
        for (long long t = 0; is_done && t < steps; t++)
            expected[x] = 3 * expected[x] + x;
    return expect_same("results are the same whatever kernels run", expected, a, sizeof a);
}

static stencil_built *built_of(const stencil_nest *nest)
{
    stencil_built *built = stencil_current_device(&stencil_shared_v9)->built;
    while (built && built->nest != nest)
        built = built->next;
    return built;
}

/* Waits until no thread compiles. */
static void await_thread(void)
{
    while (stencil_beside_is(&stencil_shared_v9) == STENCIL_COMPILING_BESIDE)
        pause_shortly();
}

/* The first call does not wait for its tiles, the second changes over after its first batch, the third needs no sweeps. */
static int test_change(void)
{
    const stencil_nest *nest = new_nest(0);
    int refused = 0, failures;
    double seconds, lost;
    stencil_built *built;
    set_gate(1);
    failures = check(nest, 22, &refused);
    built = built_of(nest);
    lost = built->lost_seconds;
    failures += expect("the call is over before its tiles are compiled", built->usability[0] == STENCIL_BESIDE);
    set_gate(0);
    await_thread();
    stencil_settle_beside(&stencil_shared_v9);
    failures += expect("the tiles have come", built->usability[0] == STENCIL_USABLE);
    built->is_cold = 1;
    built->beside_seconds = built->low_seconds + 1e-12;
    seconds = built->low_seconds;
    failures += check(nest, 22, &refused);
    failures += expect("sweeps begin", built->low_seconds > seconds) + expect("and tiles follow", !built->is_cold);
    failures += expect("each call loses the same", lost > 0 && built->lost_seconds < 2.01 * lost && built->lost_seconds > 1.99 * lost);
    seconds = built->low_seconds;
    failures += check(nest, 22, &refused) + expect("then tiles do it all", built->low_seconds <= seconds);
    return failures + expect("all calls ran", refused == 0);
}

/* Kernels of the last steps are compiled where they take as many as the deepest, and not for one launch. */
static int test_main_levels(void)
{
    stencil_built *built;
    stencil_device device;
    stencil_nest nest = {
        .name = "last", .where = "climb.c:2", .source = source, .number = 1, .build_options = "", .plan_count = 1,
        .plans = &last_plan, .last_single_steps = 9,
    };
    stencil_call call;
    stencil_session session;
    double lost;
    int failures;
    memset(&device, 0, sizeof device);
    memset(&call, 0, sizeof call);
    memset(&session, 0, sizeof session);
    built = stencil_new_built(&nest, &last_plan);
    session.nest = &nest;
    session.plan = &last_plan;
    session.device = &device;
    session.call = &call;
    session.built = built;
    call.sweep_count = 1;
    session.asked = 8;
    failures = expect("a schedule", stencil_schedule(&session, &lost));
    failures += expect("two launches of four steps", stencil_count_launches(&session, 4) == 2 && lost <= 0);
    session.asked = 4;
    failures += expect("a schedule", stencil_schedule(&session, &lost));
    failures += expect("none of four steps", stencil_count_launches(&session, 4) == 0 && lost > 0);
    free(session.phases);
    stencil_free_built(built);
    return failures;
}

/* What the thread cannot compile is done without. */
int test_lacking(void)
{
    const stencil_nest *nest = new_nest(0);
    int refused = 0, failures;
    setenv("STENCIL_COMPILE_ALL", "0", 1);
    faults_set("clBuildProgram:2:instead:-5");
    failures = check(nest, 22, &refused);
    await_thread();
    failures += check(nest, 22, &refused) + check(nest, 22, &refused);
    failures += expect("its tiles are out of use", built_of(nest)->usability[0] == STENCIL_UNUSABLE);
    return failures + expect("all calls ran", refused == 0);
}

/* Each call of OpenCL goes wrong in turn, of those that calls make or the thread does. */
static int test_each(const char *mode)
{
    int refused = 0, count = 0, failures = 0, has_struck = 1;
    char wish[64];
    while (has_struck && count < NESTS / 2) {
        const stencil_nest *nest = new_nest(0);
        snprintf(wish, sizeof wish, "*:%d:%s:-5", ++count, mode);
        faults_set(wish);
        failures += check(nest, 6, &refused);
        await_thread();
        failures += check(nest, 6, &refused);
        await_thread();
        has_struck = faults_has_struck();
        faults_set("");
    }
    return failures + expect("every call has failed once", !has_struck && refused > 10);
}

/* Where kernels may round differently, or somebody wants them all, calls wait for them. */
static int test_waiting(void)
{
    const stencil_nest *rounding = new_nest(16), *whole = new_nest(0);
    int refused = 0, failures = check(rounding, 22, &refused);
    failures += expect("rounding nests wait", !built_of(rounding)->begins_low);
    setenv("STENCIL_COMPILE_ALL", "1", 1);
    failures += check(whole, 22, &refused) + expect("others on demand", !built_of(whole)->begins_low);
    setenv("STENCIL_COMPILE_ALL", "0", 1);
    return failures + expect("all calls ran", refused == 0);
}

static void *call_often(void *nest)
{
    int refused = 0;
    intptr_t failures = 0;
    for (int i = 0; i < 40; i++)
        failures += check(nest, 10 + i % 13, &refused);
    return (void *)(failures + refused);
}

static int test_callers(void)
{
    pthread_t threads[3];
    const stencil_nest *shared = new_nest(0);
    int failures = 0;
    for (int i = 0; i < 3; i++)
        failures += pthread_create(&threads[i], NULL, call_often, (void *)(i < 2 ? shared : new_nest(0))) != 0;
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(threads[i], &result);
        failures += result != NULL;
    }
    return expect("several callers", failures == 0);
}

int test_climb(void)
{
    int failures;
    setenv("STENCIL_COMPILE_ALL", "0", 1);
    failures = test_main_levels() + test_change() + test_waiting() + test_callers();
    await_thread();
    faults_set("");
    return failures + test_each("instead");
}

static void say_ended(void)
{
    if (stencil_beside_is(&stencil_shared_v9) == STENCIL_JOINED)
        printf("the end has waited for the thread\n");
}

static void *open_gate(void *unused)
{
    for (int i = 0; i < 50; i++)
        pause_shortly();
    set_gate(0);
    return unused;
}

/* The program and a child of it end while the thread compiles. */
int test_ending(void)
{
    int refused = 0, failures, status = 1;
    pthread_t opener;
    pid_t child;
    setenv("STENCIL_COMPILE_ALL", "0", 1);
    atexit(say_ended);
    set_gate(1);
    failures = check(new_nest(0), 22, &refused);
    failures += expect("the thread is at work", stencil_beside_is(&stencil_shared_v9) == STENCIL_COMPILING_BESIDE);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        fclose(stdout);
        exit(check(new_nest(0), 22, &refused) == 0 && refused == 1 ? 0 : 3);
    }
    failures += expect("a child ends", child > 0 && waitpid(child, &status, 0) == child && status == 0);
    pthread_create(&opener, NULL, open_gate, NULL);
    pthread_detach(opener);
    return failures + expect("the call ran", refused == 0);
}

/* The same, and the program's last thread of its own ends by pthread_exit. */
int test_leaving(void)
{
    int failures = test_ending();
    if (failures == 0)
        pthread_exit(NULL);
    return failures;
}
