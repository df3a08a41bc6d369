/* What verifying must find and let pass, and whose loops it waits for. The nests take no steps, so that no device is needed:
   whatever the loops change differs. `test/run` looks at the messages. */

#include "runtime.h"

#include "check.h"
#include "rewritten.h"

#include <pthread.h>
#include <setjmp.h>

enum { CELLS = 4 };

/* An array of so many elements, and what the loops make of it. */
typedef struct {
    double before[CELLS], after[CELLS];
    int index, index_after; /* a variable, which the nest is to leave as it is */
} example;

static const stencil_nest exact = {.name = "exact", .where = "verify.c:1", .number = 1, .build_options = ""};
static const stencil_nest rounded = {
    .name = "rounded", .where = "verify.c:2", .number = 1, .build_options = "", .roundings = 16,
};

static example current;

static void loops(void *const *bases, const void *context)
{
    (void)context;
    memcpy(bases[0], current.after, sizeof current.after);
    current.index = current.index_after;
}

static const stencil_array plain = {
    .name = "a", .element_size = sizeof(double), .rank = 1, .stride = {1}, .used = {{0}, {CELLS - 1}},
    .spacing = 1, .is_written = 1, .kind = STENCIL_REAL,
};

/* Runs the loops of `current` once; all must be as they have left it. */
static int check(const char *test, const stencil_nest *nest, stencil_array array)
{
    stencil_left left[1];
    stencil_call call;
    int failures;
    double values[CELLS];
    memcpy(values, current.before, sizeof values);
    array.base = values;
    memset(&call, 0, sizeof call);
    call.array_count = 1;
    call.arrays = &array;
    call.left = left;
    stencil_leave(&call, STENCIL_INTEGER, "i", &current.index, &current.index, sizeof current.index);
    failures = expect(test, run_rewritten(nest, &call, loops) == 1);
    return failures + expect_same(test, current.after, values, sizeof values) +
           expect(test, current.index == current.index_after);
}

/* A pair of values of the last element. */
static void set(double before, double after)
{
    const example start = {{1, 2, 3, 4}, {1, 2, 3, 4}, 7, 7};
    current = start;
    current.before[CELLS - 1] = before;
    current.after[CELLS - 1] = after;
}

/* With STENCIL_VERIFY=1: two pass, the others are told. */
int test_differences(void)
{
    const double nothing = 0;
    int failures;
    set(nothing / nothing, -(nothing / nothing));
    failures = check("any NaN is as good as any other", &exact, plain);
    set(0.0, -0.0);
    failures += check("the sign of zero counts", &exact, plain);
    set(4, nothing / nothing);
    failures += check("a number and none", &rounded, plain);
    set(1, 1 + DBL_EPSILON);
    failures += check("one unit in the last place", &exact, plain);
    failures += check("one unit passes where a step may round differently", &rounded, plain);
    set(1e-20, -1e-20);
    failures += check("small beside the largest number", &rounded, plain);
    set(1, 1.001);
    failures += check("far more than a step may differ", &rounded, plain);
    set(1, 1);
    current.index_after = -5;
    return failures + check("a variable", &exact, plain);
}

/* With STENCIL_VERIFY=1: all pass, as nobody asks for these elements. */
int test_unasked(void)
{
    stencil_array array = plain;
    int failures;
    set(1, 2);
    array.is_scratch = 1;
    failures = check("scratch", &exact, array);
    array.is_scratch = 0;
    array.is_restrict = 1;
    return failures + check("beside the results of an array that the user vouches for", &exact, array);
}

static stencil_quick jumped_quick;
static stencil_turn jumped_turn = {.quick = &jumped_quick};
static jmp_buf jump;

/* Asks for the loops from a frame that depends on `depth`, and leaves them half-way if `jumps`; returns what the second
   call says. */
static STENCIL_NOINLINE int ask(int depth, int jumps)
{
    volatile char room[256];
    stencil_call call;
    int first;
    room[depth] = 1;
    if (depth > 0)
        return ask(depth - 1, jumps) + 0 * room[depth];
    memset(&call, 0, sizeof call);
    call.steps = call.result_count = call.array_count = 1;
    {
        stencil_array array = plain;
        stencil_result result = {.box = {{0}, {0}}};
        call.arrays = &array;
        call.results = &result;
        first = run_or_ask(&exact, &call, &jumped_turn);
        if (jumps)
            longjmp(jump, 1 + first);
        return first == 0 && run_or_ask(&exact, &call, &jumped_turn);
    }
}

/* With STENCIL_DEVICE=none: loops that were left by a jump have not run. */
static int test_jump(void)
{
    volatile int failures = 0;
    switch (setjmp(jump)) {
    case 0:
        ask(3, 1);
        break;
    case 1:
        failures += expect("loops that were left have not run", ask(2, 0));
        break;
    default:
        failures += expect("the device cannot be used", 0);
    }
    return failures + expect("the next one waits for its own loops", ask(2, 0));
}

static void *ask_often(void *failures)
{
    for (int i = 0; i < 1000; i++) {
        stencil_array array = plain;
        stencil_result result = {.box = {{0}, {0}}};
        double values[CELLS] = {1, 2, 3, 4};
        stencil_call call;
        memset(&call, 0, sizeof call);
        array.base = values;
        call.steps = call.result_count = call.array_count = 1;
        call.arrays = &array;
        call.results = &result;
        *(int *)failures += expect("the loops of each thread run once", run_rewritten(&exact, &call, loops) == 1);
        *(int *)failures += expect_same("the loops' results", current.after, values, sizeof values);
    }
    return NULL;
}

/* With STENCIL_DEVICE=none: each thread waits for its own loops. */
int test_turns(void)
{
    pthread_t threads[4];
    int failures[4] = {0, 0, 0, 0}, sum = test_jump();
    set(4, 5);
    for (int i = 0; i < 4; i++)
        sum += expect("pthread_create", pthread_create(&threads[i], NULL, ask_often, &failures[i]) == 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        sum += failures[i];
    }
    return sum;
}
