/* Sessions: steps a few at a time, two sessions at once, boxes read and written in between, and what fails there. */

#include "verdict.h"

#include "check.h"
#include "runtime.h"

#include <sys/wait.h>

/* Two buffers in turn: a cell becomes 3 times its neighbour, and more. The last cell is never written. A tile keeps its last
   level alone, so a single step must follow. */
static const char *const source[] = {
    "#define STEP(neighbour, x) (3 * (neighbour) + (unsigned)(x) + more)",
    "#define TILE(NAME, LEVELS) \\",
    "__kernel void NAME(__global const unsigned *in0, __global const unsigned *in1, __global unsigned *out, \\",
    "                   STENCIL_POSITION origin, int lo, int hi, unsigned more) { \\",
    "    int x = lo + (int)get_global_id(0); \\",
    "    unsigned v[LEVELS + 1]; \\",
    "    if (x > hi) return; \\",
    "    for (int i = 0; i <= LEVELS; i++) v[i] = in0[origin + x + i]; \\",
    "    for (int level = 1; level <= LEVELS; level++) \\",
    "        for (int i = 0; i <= LEVELS - level; i++) \\",
    "            v[i] = x + i <= hi ? STEP(v[i + 1], x + i) : (level % 2 ? in1 : in0)[origin + x + i]; \\",
    "    out[origin + x] = v[0]; \\",
    "}",
    "TILE(tile3, 3)",
    "TILE(tile2, 2)",
    "__kernel void sweep(__global const unsigned *in, __global unsigned *out, STENCIL_POSITION origin, int lo, int hi,",
    "                    unsigned more) {",
    "    int x = lo + (int)get_global_id(0);",
    "    if (x <= hi) out[origin + x] = STEP(in[origin + x + 1], x);",
    "}",
};

#define TILE_ARGS(last)                                                                                            \
    {                                                                                                              \
        {.kind = STENCIL_ARG_INPUT}, {.kind = STENCIL_ARG_INPUT, .slot = 1},                                       \
        {.kind = STENCIL_ARG_OTHER, .slot = last}, {.kind = STENCIL_ARG_ORIGIN}, {.kind = STENCIL_ARG_TILE_LO},    \
        {.kind = STENCIL_ARG_TILE_HI}, {.kind = STENCIL_ARG_SCALAR},                                               \
    }
static const stencil_arg tile3_args[] = TILE_ARGS(3), tile2_args[] = TILE_ARGS(2);
static const stencil_swap swaps[] = {{.slot = 1}, {.slot = 0}};
static const stencil_arg sweep_args[] = {
    {.kind = STENCIL_ARG_INPUT}, {.kind = STENCIL_ARG_OUTPUT, .slot = 1}, {.kind = STENCIL_ARG_ORIGIN},
    {.kind = STENCIL_ARG_DOMAIN_LO}, {.kind = STENCIL_ARG_DOMAIN_HI}, {.kind = STENCIL_ARG_SCALAR},
};
static const stencil_kernel kernels[] = {
    {.name = "tile3", .levels = 3, .rank = 1, .work_group = {8, 1, 1}, .tile = {8}, .arg_count = 7, .args = tile3_args,
     .swap_count = 1, .swaps = swaps},
    {.name = "tile2", .levels = 2, .rank = 1, .work_group = {8, 1, 1}, .tile = {8}, .arg_count = 7, .args = tile2_args,
     .swap_count = 1, .swaps = swaps + 1},
    {.name = "sweep", .rank = 1, .work_group = {8, 1, 1}, .arg_count = 6, .args = sweep_args},
};
static const stencil_plan plan = {.name = "tiles", .margin_hi = {3}, .kernel_count = 3, .kernels = kernels};
static const stencil_nest nest = {
    .name = "session", .where = "session.c:1", .source = source, .source_lines = sizeof source / sizeof *source,
    .number = 1, .build_options = "", .plan_count = 1, .plans = &plan, .last_single_steps = 1,
};

enum { CELLS = 40 };

/* A grid with its session, and the same computed on the host. */
typedef struct {
    unsigned values[2][CELLS], expected[2][CELLS];
    int cells;
    long long steps;
    unsigned more;
    stencil_array arrays[2];
    stencil_layout layout;
    stencil_field field;
    stencil_sweep sweep;
    stencil_result results[2];
    stencil_scalar scalar;
    stencil_call call;
    stencil_session session;
} grid;

static void make(grid *g, int cells, long long steps)
{
    const stencil_box all = {{0}, {cells - 1}}, inner = {{0}, {cells - 2}};
    memset(g, 0, sizeof *g);
    g->cells = cells;
    g->more = 5;
    for (int b = 0; b < 2; b++) {
        for (int i = 0; i < CELLS; i++)
            g->values[b][i] = g->expected[b][i] = (unsigned)(i * i + 7 * b + cells);
        g->arrays[b] = (stencil_array){
            .name = b ? "b" : "a", .base = g->values[b], .element_size = sizeof(unsigned), .rank = 1, .stride = {1},
            .used = all, .spacing = 1, .is_written = 1, .kind = STENCIL_INTEGER,
        };
        g->results[b] = (stencil_result){.array = b, .slot = b, .box = inner};
    }
    g->layout = (stencil_layout){1, all};
    g->field = (stencil_field){
        .name = "a/b", .element_size = sizeof(unsigned), .slots = 2, .is_written = 1, .initial = {0, 1},
    };
    g->sweep = (stencil_sweep){"a/b", 1, inner, 0};
    g->scalar = (stencil_scalar){sizeof g->more, &g->more};
    g->call = (stencil_call){
        .steps = steps, .rank = 1, .tiled = inner, .array_count = 2, .layout_count = 1, .field_count = 1,
        .sweep_count = 1, .result_count = 2, .scalar_count = 1, .arrays = g->arrays, .layouts = &g->layout,
        .fields = &g->field, .sweeps = &g->sweep, .results = g->results, .scalars = &g->scalar,
    };
}

/* The steps on the host; grids of one cell have no sweep. */
static void expect_steps(grid *g, long long steps)
{
    for (long long end = g->steps + steps; g->steps < end; g->steps++)
        for (int i = 0; i < g->cells - 1; i++)
            g->expected[(g->steps + 1) % 2][i] = 3 * g->expected[g->steps % 2][i + 1] + (unsigned)i + g->more;
}

static int open_grid(grid *g)
{
    const stencil_options options = stencil_read_options();
    int is_open;
    stencil_enter(&g->session);
    is_open = stencil_open_session(&g->session, &stencil_shared_v9, &nest, &g->call, &options);
    stencil_exit(&g->session);
    return is_open;
}

static int advance(grid *g, long long steps)
{
    int is_done;
    stencil_enter(&g->session);
    is_done = stencil_advance(&g->session, steps);
    stencil_exit(&g->session);
    if (is_done)
        expect_steps(g, steps);
    return is_done;
}

static int read_grid(grid *g)
{
    int is_done;
    stencil_enter(&g->session);
    is_done = stencil_fetch(&g->session, g->results, 2) && stencil_deliver(&g->session);
    stencil_exit(&g->session);
    return is_done;
}

/* Adds to the cells of a box in both arrays, and brings them to the device. */
static int change(grid *g, int first, int last)
{
    stencil_result parts[2] = {g->results[0], g->results[1]};
    int is_done;
    for (int b = 0; b < 2; b++) {
        parts[b].box = (stencil_box){{first}, {last}};
        for (int i = first; i <= last; i++) {
            g->expected[b][i] += 1000u * (unsigned)(i + b);
            g->values[b][i] = g->expected[b][i];
        }
    }
    stencil_enter(&g->session);
    is_done = stencil_write(&g->session, parts, 2);
    stencil_exit(&g->session);
    return is_done;
}

static void close_grid(grid *g)
{
    stencil_enter(&g->session);
    stencil_close_session(&g->session);
    stencil_exit(&g->session);
}

static int is_right(const grid *g)
{
    return memcmp(g->values, g->expected, sizeof g->values) == 0;
}

/* However the steps are divided, the result is that of one call. */
static int test_steps(void)
{
    static const int divisions[][6] = {{17}, {1, 1, 3, 5, 7}, {8, 9}, {2, 2, 2, 2, 9}, {4, 0, 4, 9}, {3, 3, 3, 8}};
    static const int sizes[] = {1, 2, 9, 10, CELLS};
    int failures = 0;
    for (int d = 0; d < 6; d++)
        for (int s = 0; s < 5; s++)
            for (int reads = 0; reads < 2; reads++) {
                grid g;
                int is_done;
                make(&g, sizes[s], divisions[d][0]);
                is_done = open_grid(&g);
                for (int i = 0; i < 6; i++)
                    is_done = is_done && advance(&g, divisions[d][i]) && (!reads || (read_grid(&g) && is_right(&g)));
                failures += expect("steps in parts", is_done && read_grid(&g) && is_right(&g) && g.steps == 17);
                close_grid(&g);
            }
    return failures;
}

/* Boxes that the host changes, cells that no kernel writes among them, and scalars. */
static int test_changes(void)
{
    grid g;
    int failures;
    make(&g, CELLS, 7);
    failures = expect("a session opens", open_grid(&g) && advance(&g, 7) && read_grid(&g) && is_right(&g));
    failures += expect("inner cells change", change(&g, 3, 9) && advance(&g, 9) && read_grid(&g) && is_right(&g));
    failures += expect("the last cell does", change(&g, CELLS - 1, CELLS - 1) && advance(&g, 10) && read_grid(&g) && is_right(&g));
    g.more = 11;
    failures += expect("so does a scalar", advance(&g, 5) && read_grid(&g) && is_right(&g));
    failures += expect("a change without steps", change(&g, 0, 5) && read_grid(&g) && is_right(&g));
    close_grid(&g);
    return failures;
}

/* Two sessions of a nest take turns. */
static int test_two(void)
{
    grid one, other;
    int is_done;
    make(&one, CELLS, 3);
    make(&other, 12, 5);
    is_done = open_grid(&one) && open_grid(&other);
    for (int i = 1; is_done && i < 6; i++)
        is_done = advance(&one, i) && advance(&other, 7 - i) && (i % 2 == 0 || change(&other, 2, 4)) &&
                  (i % 2 || (read_grid(&one) && is_right(&one)));
    is_done = is_done && read_grid(&one) && read_grid(&other) && is_right(&one) && is_right(&other);
    close_grid(&one);
    is_done = is_done && advance(&other, 8) && read_grid(&other) && is_right(&other);
    close_grid(&other);
    return expect("two sessions", is_done);
}

/* After a failure nothing can be had of a session, and it closes, as one does that never opened, or a second time. */
static int test_failure(void)
{
    grid g, before;
    int failures;
    make(&g, CELLS, 6);
    close_grid(&g);
    failures = expect("a session opens", open_grid(&g) && advance(&g, 6) && read_grid(&g));
    before = g;
    faults_set("clEnqueueNDRangeKernel:2:instead:-5");
    failures += expect("steps fail", !advance(&g, 6) && strstr(g.session.failure.reason, "clEnqueueNDRangeKernel"));
    faults_set("");
    failures += expect("and all after them", !advance(&g, 1) && !read_grid(&g) && !change(&g, 1, 1));
    before.values[0][1] = g.values[0][1];
    before.values[1][1] = g.values[1][1];
    failures += expect("the arrays stay", memcmp(g.values, before.values, sizeof g.values) == 0);
    close_grid(&g);
    close_grid(&g);
    make(&g, CELLS, 4);
    failures += expect("a new session", open_grid(&g) && advance(&g, 4) && read_grid(&g) && is_right(&g));
    close_grid(&g);
    return failures;
}

/* Whether what was read is right, or what could not be read is as it was. */
static int reads_or_keeps(grid *g)
{
    unsigned before[2][CELLS];
    memcpy(before, g->values, sizeof before);
    return read_grid(g) ? is_right(g) : memcmp(before, g->values, sizeof before) == 0;
}

/* Lets each call of OpenCL go wrong in turn. */
static int test_each(const char *mode)
{
    int failures = 0, count = 0, refused = 0;
    do {
        grid g;
        char wish[64];
        make(&g, CELLS, 4);
        snprintf(wish, sizeof wish, "*:%d:%s:-5", ++count, mode);
        faults_set(wish);
        if (open_grid(&g) && advance(&g, 4))
            failures += !reads_or_keeps(&g) || (change(&g, 2, 5) && advance(&g, 7) && !reads_or_keeps(&g));
        refused += g.session.state == STENCIL_FAILED;
        close_grid(&g);
    } while (faults_has_struck());
    faults_set("");
    return expect("all is right or as it was", failures == 0) + expect("every call has failed once", refused > 20);
}

/* A forked child can do nothing with a session but close it, and its parent goes on. */
static int test_child(void)
{
    grid g;
    int failures, status = 1;
    pid_t child;
    make(&g, CELLS, 3);
    failures = expect("a session opens", open_grid(&g) && advance(&g, 3));
    fflush(NULL);
    child = fork();
    if (child == 0) {
        int is_done = advance(&g, 1);
        close_grid(&g);
        _exit(is_done ? 3 : 0);
    }
    failures += expect("a child", child > 0 && waitpid(child, &status, 0) == child && status == 0);
    failures += expect("its parent", advance(&g, 6) && read_grid(&g) && is_right(&g));
    close_grid(&g);
    return failures;
}

int test_session(void)
{
    int failures = test_steps() + test_changes() + test_two() + test_failure() + test_child();
    (void)stencil_run; /* sessions are opened here */
    (void)stencil_has_run;
    return failures + test_each("instead") + test_each("after");
}
