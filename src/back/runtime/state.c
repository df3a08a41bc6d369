/* What all rewritten files of one program share: the devices that it has opened, each with its context, queue and compiled
   kernels, and what has been said. */

/* Why the device cannot be used. The same reason is told once; the detail may differ from call to call. */
typedef struct {
    char reason[256];
    char detail[256];
} stencil_failure;

/* What is known of a kernel: nothing before it is compiled, now or by a thread beside calls, then whether the device can run
   it. */
typedef enum { STENCIL_UNKNOWN, STENCIL_WANTED, STENCIL_BESIDE, STENCIL_USABLE, STENCIL_UNUSABLE } stencil_usability;

/* The kernels of one plan, compiled as far as a call has wanted them; or why they could not be. */
typedef struct stencil_built {
    const stencil_nest *nest;
    const stencil_plan *plan;
    cl_kernel *kernels; /* null: not compiled */
    stencil_usability *usability;
    int has_long_positions, has_sub_groups;
    double seconds; /* that compiling took so far */
    int is_good;
    stencil_failure failure;
    struct stencil_built *next;
    double lost_seconds; /* by launches that kernels would have spared which were not worth compiling; see price.c */
    int begins_low;        /* calls begin with sweep kernels where others are lacking; see climb.c */
    int was_started;       /* the nest has run in an earlier run of the program */
    int is_cold;           /* kernels came from the thread, and PoCL will compile their second half at the first launch */
    double beside_seconds; /* that the thread took for them */
    double low_seconds;    /* of steps with sweep kernels in their place */
} stencil_built;

/* How fast the calls of a nest are on a device that has run one. */
typedef struct stencil_pace {
    const stencil_nest *nest;
    double factor, last; /* they take so many times what the model expects; 0: not known yet */
    struct stencil_pace *next;
} stencil_pace;

/* A kernel that combines what points give; see combine.c. */
typedef struct stencil_combiner stencil_combiner;

/* A device that the program has opened: what is known of it, and what the nests have there. */
typedef struct stencil_device {
    cl_device_id id;
    cl_device_type type;
    char name[128];
    int has_fp64;
    cl_device_fp_config single;
    size_t work_group_size;
    size_t work_item_sizes[3];
    unsigned long long local_bytes, buffer_bytes, global_bytes;
    int is_open; /* until the program ends */
    int is_announced;
    cl_context context;
    cl_command_queue queue;
    stencil_built *built;
    stencil_pace *paces;
    stencil_combiner *combiners;
    struct stencil_device *next;
} stencil_device;

/* A message that need not be repeated. */
typedef struct stencil_said {
    const stencil_nest *nest;
    struct stencil_said *next;
    char reason[256];
} stencil_said;

/* What a thread compiles beside calls; see beside.c. README.md tells who may touch it in which state, and go to which. */
typedef struct stencil_beside stencil_beside;
typedef enum {
    STENCIL_IDLE, STENCIL_STARTING, STENCIL_COMPILING_BESIDE, STENCIL_COMPILED, STENCIL_JOINING, STENCIL_JOINED
} stencil_beside_state;

/* All zero at first. Its layout may only change together with the number in the name of `stencil_shared_v9`. */
typedef struct {
    int owner;   /* process in which a call is going on; 0: none */
    int process; /* process that opened the device; 0: nobody tried yet */
    stencil_failure failure; /* why there is none, or none any more */
    stencil_device *devices; /* all that are open; calls run on the first */
    stencil_said *said;
    int has_key;
    unsigned key; /* of what each thread that calls has of its own, so that its end is noticed */
    int teller;   /* process that reads or writes what follows; 0: none */
    int summing_process; /* process that will print the accounts at its end */
    stencil_account *accounts;
    int beside_state; /* a stencil_beside_state */
    int beside_ends;  /* no thread is to start any more */
    stencil_beside *beside;
} stencil_shared;

/* What is put into a list that others read meanwhile is complete. */
#if defined(__GNUC__) || defined(__clang__)
#define STENCIL_FIRST(list) __atomic_load_n(&(list), __ATOMIC_ACQUIRE)
#define STENCIL_PUT_FIRST(list, one) __atomic_store_n(&(list), one, __ATOMIC_RELEASE)
#else
#define STENCIL_FIRST(list) (list)
#define STENCIL_PUT_FIRST(list, one) ((list) = (one))
#endif

#if defined(__GNUC__) || defined(__clang__)

/* The linker keeps one of the definitions of all files. */
extern __attribute__((weak)) stencil_shared stencil_shared_v9;
__attribute__((weak)) stencil_shared stencil_shared_v9;

/* Waits until nobody holds what `owner` guards. A lock that a forked child inherited is void: its owner is elsewhere. */
static void stencil_take(int *owner)
{
    int self = stencil_process(), other = 0;
    while (!__atomic_compare_exchange_n(owner, &other, self, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        if (other != self)
            continue;
        other = 0;
        stencil_pause();
    }
}

static void stencil_give(int *owner)
{
    __atomic_store_n(owner, 0, __ATOMIC_RELEASE);
}

/* Numbers that threads read and write as they come: one that is lost is no harm. */
static double stencil_recall(const double *number)
{
    double value;
    __atomic_load(number, &value, __ATOMIC_RELAXED);
    return value;
}

static void stencil_note(double *number, double value)
{
    __atomic_store(number, &value, __ATOMIC_RELAXED);
}

static int stencil_peek(const int *flag)
{
    return __atomic_load_n(flag, __ATOMIC_RELAXED);
}

static void stencil_raise(int *flag, int value)
{
    __atomic_store_n(flag, value, __ATOMIC_RELAXED);
}

#else

/* Without weak symbols each file has its own state, and a program must not call from several threads. */
static stencil_shared stencil_shared_v9;

static void stencil_take(int *owner)
{
    *owner = stencil_process();
}

static void stencil_give(int *owner)
{
    *owner = 0;
}

static double stencil_recall(const double *number)
{
    return *number;
}

static void stencil_note(double *number, double value)
{
    *number = value;
}

static int stencil_peek(const int *flag)
{
    return *flag;
}

static void stencil_raise(int *flag, int value)
{
    *flag = value;
}

#endif

/* The device that calls run on; null as long as none is open. Needs no lock. */
static stencil_device *stencil_current_device(stencil_shared *shared)
{
    stencil_device *device = STENCIL_FIRST(shared->devices);
    return device && stencil_peek(&device->is_open) ? device : NULL;
}

/* What calls of a nest have taken on a device; null if none has run there. Needs no lock. */
static stencil_pace *stencil_find_pace(const stencil_device *device, const stencil_nest *nest)
{
    stencil_pace *pace = device ? STENCIL_FIRST(device->paces) : NULL;
    while (pace && pace->nest != nest)
        pace = pace->next;
    return pace;
}

/* The same for whoever holds the lock of calls: there is one from now on, unless the host is out of memory. */
static stencil_pace *stencil_keep_pace(stencil_device *device, const stencil_nest *nest)
{
    stencil_pace *pace = stencil_find_pace(device, nest);
    if (!pace && (pace = calloc(1, sizeof *pace)) != NULL) {
        pace->nest = nest;
        pace->next = device->paces;
        STENCIL_PUT_FIRST(device->paces, pace);
    }
    return pace;
}

/* One call on the device at a time. */
static void stencil_lock(void)
{
    stencil_take(&stencil_shared_v9.owner);
}

static void stencil_unlock(void)
{
    stencil_give(&stencil_shared_v9.owner);
}

/* What the user asks for in the environment, read at each call that is not small. */
typedef struct {
    int is_verbose, shows_build_log, verifies, is_strict, is_quiet;
    int names_device;       /* or a plan: then every call goes there */
    double tolerance;       /* that STENCIL_VERIFY gives; negative: none */
    const char *odd_verify; /* a value of STENCIL_VERIFY that nobody understands; null: none */
    const char *plan;       /* null: choose one */
} stencil_options;

static int stencil_is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value && strcmp(value, "0") != 0;
}

/* STENCIL_VERIFY=1, or the difference, relative to the largest number of an array, that passes. */
static void stencil_read_verify(stencil_options *options)
{
    const char *value = getenv("STENCIL_VERIFY");
    char *end;
    options->verifies = stencil_is_set("STENCIL_VERIFY");
    options->tolerance = -1;
    options->odd_verify = NULL;
    if (!options->verifies || strcmp(value, "1") == 0)
        return;
    options->tolerance = strtod(value, &end);
    if (end == value || *end || !(options->tolerance > 0 && options->tolerance < 1)) {
        options->odd_verify = value;
        options->tolerance = -1;
    }
}

static stencil_options stencil_read_options(void)
{
    stencil_options options;
    const char *verbosity = getenv("STENCIL_VERBOSE"), *device = getenv("STENCIL_DEVICE");
    options.is_verbose = stencil_is_set("STENCIL_VERBOSE");
    options.shows_build_log = verbosity && strcmp(verbosity, "2") == 0;
    stencil_read_verify(&options);
    options.is_strict = stencil_is_set("STENCIL_STRICT");
    options.is_quiet = stencil_is_set("STENCIL_QUIET");
    options.plan = stencil_is_set("STENCIL_PLAN") ? getenv("STENCIL_PLAN") : NULL;
    options.names_device = options.plan || (device && *device);
    return options;
}
