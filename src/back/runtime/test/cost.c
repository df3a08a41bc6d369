/* Which calls stay with their loops. No device is opened: what the model expects, what was measured and what the user asks for
   are made up here. */

#include "runtime.h"

#include "check.h"

#include <pthread.h>

/* 1 ns a cell and step on the host, 0.1 ns on either kind of device. */
static stencil_account account;
static const stencil_estimate estimate = {
    .host_seconds = 1e-9, .bytes_up = 16, .bytes_down = 8, .cpu = {1e-10, 1e-10, 4}, .gpu = {1e-10, 1e-10, 4},
    .account = &account,
};
static const stencil_nest strict = {
    .name = "strict", .where = "cost.c:1", .number = 1, .build_options = "", .estimate = &estimate,
};
static const stencil_nest rounded = {
    .name = "rounded", .where = "cost.c:2", .number = 1, .build_options = "", .roundings = 16,
    .estimate = &estimate,
};
static const stencil_nest bound = {
    .name = "bound", .where = "cost.c:3", .number = 1, .build_options = "", .no_fallback = 1,
    .estimate = &estimate,
};

static const stencil_options nothing_asked;
/* No device is open, or this one, on which a nest has run. */
static stencil_shared program;
static stencil_pace pace = {.nest = &strict};
static stencil_device device = {.type = CL_DEVICE_TYPE_CPU, .is_open = 1, .paces = &pace};
static STENCIL_THREAD stencil_quick quick;

/* Whether a call of so many cells and steps stays on the host. */
static int stays(const stencil_nest *nest, stencil_turn *turn, long long cells, long long steps,
                 const stencil_options *options)
{
    stencil_sweep sweep = {"a", 1, {{0}, {0}}, 0};
    stencil_call call;
    stencil_work work;
    memset(&call, 0, sizeof call);
    memset(&work, 0, sizeof work);
    sweep.domain.hi[0] = cells - 1;
    call.sweep_count = 1;
    call.sweeps = &sweep;
    call.steps = steps;
    work.nest = nest;
    work.call = &call;
    work.shared = &program;
    work.options = *options;
    return stencil_stays_on_host(&work, turn);
}

static void forget(stencil_turn *turn)
{
    memset(turn, 0, sizeof *turn);
    memset(&quick, 0, sizeof quick);
    turn->quick = &quick;
    memset(&account, 0, sizeof account);
    program.devices = NULL;
    pace.factor = pace.last = 0;
}

static int test_sizes(void)
{
    stencil_turn turn;
    int failures;
    forget(&turn);
    failures = expect("a small call stays", stays(&strict, &turn, 100, 1, &nothing_asked));
    quick.stencil_asked = NULL;
    failures += expect("others like it are answered at once", stencil_is_small(&quick, stencil_fits(&quick, 100), &turn));
    failures += expect("and come back", stencil_has_just_run(&quick, &turn));
    failures += expect("once", !stencil_has_just_run(&quick, &turn));
    failures += expect("large ones are not", !stencil_is_small(&quick, stencil_fits(&quick, 1e9), &turn));
    failures += expect("unknown ones are not", !stencil_is_small(&quick, stencil_fits(&quick, -1), &turn));
    failures += expect("nor are numbers that are none", !stencil_fits(&quick, quick.stencil_small / 0.0 * 0.0));
    failures += expect("a huge call goes to the device at once", !stays(&strict, &turn, 10000000, 10000, &nothing_asked));
    forget(&turn);
    return failures + expect("so does the first", !stays(&strict, &turn, 10000000, 10000, &nothing_asked));
}

/* Sizes that fitted once are compared anew when it is learned what fits. */
static int test_kept_sizes(void)
{
    stencil_turn turn;
    int failures;
    forget(&turn);
    failures = expect("a small call stays", stays(&strict, &turn, 100, 1, &nothing_asked));
    failures += expect("nothing is kept yet", !stencil_is_kept(&quick, 0, 0) && !stencil_is_kept(&quick, 0, 7));
    failures += expect("a size is kept", stencil_keep(&quick, 0, 7) && stencil_keep(&quick, 1, 9));
    failures += expect("and known", stencil_is_kept(&quick, 0, 7) && stencil_is_kept(&quick, 1, 9));
    failures += expect("no other one is", !stencil_is_kept(&quick, 0, 9));
    failures += expect("a small call stays", stays(&strict, &turn, 100, 1, &nothing_asked));
    return failures + expect("nothing is kept any more", !stencil_is_kept(&quick, 0, 7));
}

/* Loops that were left by a jump have not run, whoever calls next. */
static int test_other_frames(void)
{
    stencil_turn turn;
    int frame, other, failures;
    forget(&turn);
    failures = expect("a small call stays", stays(&strict, &turn, 100, 1, &nothing_asked));
    quick.stencil_asked = NULL;
    failures += expect("small", stencil_is_small(&quick, stencil_fits(&quick, 100), &frame));
    failures += expect("another frame has no loops that have run", !stencil_has_just_run(&quick, &other));
    failures += expect("nor has it for those who watch", !stencil_has_run(&strict, &turn, &other, NULL));
    return failures + expect("it begins anew", stencil_is_small(&quick, stencil_fits(&quick, 100), &other));
}

static int test_wishes(void)
{
    stencil_options options = nothing_asked;
    stencil_turn turn;
    int failures;
    forget(&turn);
    options.names_device = 1;
    failures = expect("who names a device gets it", !stays(&strict, &turn, 100, 1, &options));
    failures += expect("and no call is small", !stencil_is_small(&quick, stencil_fits(&quick, 100), &turn));
    options = nothing_asked;
    options.verifies = 1;
    failures += expect("verification needs the device", !stays(&strict, &turn, 100, 1, &options));
    options = nothing_asked;
    options.odd_verify = "maybe";
    failures += expect("a mistake is told", !stays(&strict, &turn, 100, 1, &options));
    failures += expect("without loops nothing stays", !stays(&bound, &turn, 100, 1, &nothing_asked));
    return failures + expect("nor without a second call", !stays(&strict, NULL, 100, 1, &nothing_asked));
}

/* What calls have lost when they start the device is the price of the start, and no more than one call beside it. */
static int test_rent(void)
{
    const double most = stencil_gpu_price.open + stencil_gpu_price.compile + stencil_cpu_price.open + stencil_cpu_price.compile;
    stencil_turn turn;
    int calls = 0, failures;
    forget(&turn);
    while (calls < 100000 && stays(&rounded, &turn, 1000000, 100, &nothing_asked))
        calls++;
    failures = expect("one call is not enough", calls > 1);
    failures += expect("the rent comes to the price", turn.missed > 0.5 && turn.missed <= most);
    forget(&turn);
    for (int i = 0; i < 100000; i++)
        failures += stays(&rounded, &turn, 100, 1, &nothing_asked) ? 0 : expect("small calls lose nothing", 0);
    return failures + expect("and pay no rent", turn.missed <= 0);
}

/* Loops that take `seconds`. */
static void run_loops(const stencil_nest *nest, stencil_turn *turn, double seconds)
{
    stencil_watch_loops(turn);
    quick.stencil_frame = turn;
    turn->start = stencil_worked() - seconds;
    stencil_has_run(nest, turn, turn, NULL);
}

static int test_measurements(void)
{
    stencil_turn turn;
    int failures;
    forget(&turn);
    stays(&strict, &turn, 1000, 1, &nothing_asked);
    run_loops(&strict, &turn, 2e-5);
    failures = expect("what is too short tells nothing", account.host_last <= 0);
    stays(&strict, &turn, 1000, 1000, &nothing_asked);
    run_loops(&strict, &turn, 8e-3);
    failures += expect("a short time alone counts nothing", account.host_factor <= 0 && account.host_last > 7);
    stays(&strict, &turn, 1000, 1000, &nothing_asked);
    run_loops(&strict, &turn, 4e-3);
    failures += expect("the faster of two counts", account.host_factor > 3 && account.host_factor < 5);
    stays(&strict, &turn, 1000, 1000, &nothing_asked);
    run_loops(&strict, &turn, 1000);
    failures += expect("one who sleeps is not believed", account.host_factor < 5 && account.host_last < 31);
    forget(&turn);
    stays(&rounded, &turn, 1000, 1000, &nothing_asked);
    run_loops(&rounded, &turn, 1);
    return failures + expect("nothing is learnt where results may differ", account.host_factor <= 0 && account.host_last <= 0);
}

/* What the model had wrong. */
static int test_second_thoughts(void)
{
    stencil_turn turn;
    int failures;
    forget(&turn);
    account.host_factor = 25;
    failures = expect("slow loops go to the device sooner", !stays(&strict, &turn, 1000000, 150, &nothing_asked));
    forget(&turn);
    failures += expect("than those that the model knows", stays(&strict, &turn, 1000000, 150, &nothing_asked));
    forget(&turn);
    turn.has_started = 1;
    program.devices = &device;
    account.host_factor = 1;
    failures += expect("a device that is ready gets them", !stays(&strict, &turn, 1000000, 150, &nothing_asked));
    pace.factor = 20;
    failures += expect("unless it is slow", stays(&strict, &turn, 1000000, 150, &nothing_asked));
    account.host_factor = 0;
    pace.factor = 3;
    failures += expect("the loops are tried once in doubt", stays(&strict, &turn, 1000000, 150, &nothing_asked));
    run_loops(&strict, &turn, 0.15);
    return failures + expect("and never again", !stays(&strict, &turn, 1000000, 150, &nothing_asked));
}

static void *stay_often(void *failures)
{
    stencil_turn turn;
    memset(&turn, 0, sizeof turn);
    turn.quick = &quick;
    for (int i = 0; i < 20000; i++) {
        *(int *)failures += stays(&strict, &turn, 1000, 1 + i % 100, &nothing_asked) ? 0 : expect("all stay", 0);
        run_loops(&strict, &turn, 1e-4 + 1e-9 * i);
    }
    return NULL;
}

static int test_threads(void)
{
    pthread_t threads[4];
    int failures[4] = {0, 0, 0, 0}, sum = 0;
    memset(&account, 0, sizeof account);
    for (int i = 0; i < 4; i++)
        sum += expect("pthread_create", pthread_create(&threads[i], NULL, stay_often, &failures[i]) == 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        sum += failures[i];
    }
    return sum;
}

int test_cost(void)
{
    (void)stencil_run; /* nothing runs here */
    return test_sizes() + test_kept_sizes() + test_other_frames() + test_wishes() + test_rent() + test_measurements() +
           test_second_thoughts() + test_threads();
}
