/* What a rewritten nest tells the runtime about itself. All boxes and indices count array elements. */

enum { STENCIL_MAX_RANK = 4, STENCIL_MAX_SLOTS = 8, STENCIL_MAX_SWAPS = 64, STENCIL_MAX_ELEMENT = 8 }; /* the last in bytes */

/* Elements lo[d] <= x[d] <= hi[d] in each dimension, outermost first; empty if lo[d] > hi[d] in one of them. */
typedef struct {
    long long lo[STENCIL_MAX_RANK], hi[STENCIL_MAX_RANK];
} stencil_box;

/* How values of an array or a variable are compared and printed. */
typedef enum { STENCIL_INTEGER, STENCIL_REAL, STENCIL_POINTER } stencil_kind;

/* A memory nest of the user's program. */
typedef struct {
    const char *name;
    void *base;                         /* address of element (0, ..., 0) */
    size_t element_size;                /* bytes */
    int rank;
    long long stride[STENCIL_MAX_RANK]; /* elements between neighbours, outermost first */
    int is_pointer[STENCIL_MAX_RANK];   /* whether a dimension's elements are pointers to what the next one counts: strides up
                                           to the last such dimension count pointers, and rows are anywhere in memory */
    int is_behind_pointer;              /* whether there is a pointer to it at `base` */
    int is_history;                     /* whether its first dimension counts rows, one for each time step; see history.c */
    stencil_box used;                   /* every element that the nest reads or writes */
    int (*row)(const long long *cell, long long *lo, long long *hi, const void *context); /* the first and the last of
                                           them in a cell's row, or 0: the row need not exist; null: all of the box */
    const void *context;                /* for that */
    long long spacing;                  /* along the fastest dimension its elements are multiples of this apart */
    long long record;                   /* bytes of the structures of which its elements are some of the members; 0: of none */
    long long record_first, record_end; /* the first byte of one that they are in, and the one behind the last */
    int is_written;
    int is_assumed;                     /* it may be smaller than `used`: the rest is never looked at, but is copied */
    long long stated[STENCIL_MAX_RANK]; /* how many elements there are in each dimension, if `used` may be more; else 0 */
    int is_restrict;                    /* the user vouches that it overlaps no other array */
    int is_scratch;                     /* nobody asks what the nest leaves in it */
    int is_looked_at;                   /* the host reads elements of it for a call */
    int room;                           /* of what the points of the last step give: its number from 1; of the user's 0 */
    stencil_kind kind;                  /* of its elements */
} stencil_array;

/* Two arrays of the call's table, the first one before the second, that may be the same memory, element by element: the nest
   then does what it does with two that are apart. */
typedef struct {
    int a, b;
} stencil_alias;

/* A variable of the user's program that must not change while the nest runs, and no array with it. */
typedef struct {
    const char *name;
    const void *address;
    size_t size;                        /* bytes */
    int is_left;                        /* the nest itself changes it, and leaves that behind its steps alone */
} stencil_variable;

/* A box of cells on the device; every field of the layout is stored with the same strides and margins. */
typedef struct {
    int rank;
    stencil_box box; /* without margins */
} stencil_layout;

/* A ring of device copies of one field. The sweep that writes the field in time step t writes slot (t + c) mod slots
   for a constant c; a cell that a sweep does not write keeps what that slot held before. */
typedef struct {
    const char *name;
    size_t element_size;
    int layout;
    int slots;                      /* of a history 0: as many as rows */
    int is_written;
    int initial[STENCIL_MAX_SLOTS]; /* array that a slot's cells hold at first; -1: they do not matter */
    int span;                       /* rows that a step touches of a history; 0: it is none, and what follows is 0 */
    int history;                    /* the array that it is */
    int held;                       /* how many of its rows matter at first; -1: all */
} stencil_field;

/* Where a written array's final elements are: in a slot of a field, or in a slot for each row of a history. */
typedef struct {
    int array, field;
    int slot;                                                  /* absolute slot number after the last step; of a history 0 */
    stencil_box box;                                           /* the elements that the nest wrote ... */
    int (*contains)(const long long *cell, const void *context); /* ... where this holds; null: the whole box */
} stencil_result;

/* Cells that a sweep computes in each time step. */
typedef struct {
    const char *name;
    int rank;
    stencil_box domain;
    int leg; /* of a step within which the host does something */
} stencil_sweep;

/* What a kernel argument is. Positions are of the type that the build option -D STENCIL_POSITION names, int or long. A
   relative slot r of a launch that starts with step t is slot (t + r) mod slots. */
typedef enum {
    STENCIL_ARG_INPUT,     /* buffer: relative slot `slot` of `field`, which the launch reads */
    STENCIL_ARG_OUTPUT,    /* buffer: one that it writes and does not read */
    STENCIL_ARG_IN_PLACE,  /* buffer: one that it writes where it reads it */
    STENCIL_ARG_OTHER,     /* buffer: another one for what it writes of a slot that it reads; see `stencil_swap` */
    STENCIL_ARG_ORIGIN,    /* position: index of cell (0, ..., 0) in the buffers of `layout` */
    STENCIL_ARG_STRIDE,    /* position: stride of `dimension` in the buffers of `layout` (outermost is 0; never the last) */
    STENCIL_ARG_DOMAIN_LO, /* int: lower bound of `dimension` of the domain of `sweep` */
    STENCIL_ARG_DOMAIN_HI, /* int: upper bound, inclusive */
    STENCIL_ARG_TILE_LO,   /* int: first cell of `dimension` of the first tile's core */
    STENCIL_ARG_TILE_HI,   /* int: last cell of `dimension` of the tiled box */
    STENCIL_ARG_CHUNK,     /* int: cells of a tile along dimension 0, for kernels whose tiles may be shortened */
    STENCIL_ARG_WHOLE_PARTS, /* int: tiles along dimension 0 that have their whole extent */
    STENCIL_ARG_STREAM_END, /* int: cells at each end of dimension 0 that are tiles of their own */
    STENCIL_ARG_SCALAR,    /* the call's scalar of number `scalar` */
    STENCIL_ARG_STEP,      /* long: number of steps complete before the launch */
    STENCIL_ARG_SKIPPED,   /* int: levels of the kernel's text, which has `levels`, that the launch leaves out */
    STENCIL_ARG_RESULTS,   /* int: whether the launch leaves results */
    STENCIL_ARG_HELD       /* buffer: what work-items hold of the values of `room` */
} stencil_arg_kind;

/* An argument; the members that its kind does not name are zero. */
typedef struct {
    stencil_arg_kind kind;
    int field, slot, layout, dimension, sweep, scalar, levels, room;
} stencil_arg;

/* A relative slot that a launch both reads and writes, but not in place: it has two buffers, and a launch that has read one
   has written the other, which then takes its place. */
typedef struct {
    int field, slot;
} stencil_swap;

/* A slot that holds what the next step reads, behind any launch of several steps: slot (t + slot) mod slots if t are complete then. */
typedef struct {
    int field, slot;
} stencil_kept;

/* A scalar kernel argument: its bytes as the device takes them. */
typedef struct {
    size_t size;
    const void *value;
} stencil_scalar;

/* How tiles share dimension 0. */
typedef enum {
    STENCIL_EQUAL_TILES, /* all have their extent */
    STENCIL_SHORT_TILES, /* all may be shorter, so that there are enough of them for the device */
    STENCIL_END_TILES    /* those at the ends are shorter, and the others reach no end of a sweep's domain */
} stencil_division;

/* One kernel. Neighbours of the same name and arguments are one function on the device. A kernel of `levels` > 0 advances the
   whole nest by that many steps in one launch, a work-group per tile. A kernel of `levels` == 0 performs one sweep of one
   step, a work-item per point of the sweep's domain. */
typedef struct {
    const char *name;
    int levels;
    int sweep;                          /* for levels == 0 */
    int rank;                           /* dimensions of the NDRange that are used, at most 3 */
    size_t work_group[3];               /* fastest dimension first */
    int tile[STENCIL_MAX_RANK];         /* core of the tile in cells, outermost first; for levels > 0 */
    int is_cut[STENCIL_MAX_RANK];       /* for each dimension whether cores end with the tiled box; others are whole */
    int rim_lo[STENCIL_MAX_RANK];       /* cells that the first tile owns before its core */
    int rim_hi[STENCIL_MAX_RANK];       /* cells that the last tile owns behind its core */
    stencil_division division;
    int least_chunk;                    /* of short tiles: cells that they have at least */
    int end_of_stream;                  /* of end tiles: cells at each end, if all sweeps' domains end there */
    int halves_last;                    /* of end tiles: whether both halves of the last tile between them are tiles, if there
                                           are others */
    int is_for_cpus;                    /* other devices do without it */
    int leaves_results;                 /* for levels > 0: any steps may follow it, and none need */
    int folds;                          /* it tells what each of its steps comes to, and may be taken back; see ahead.c */
    int arg_count;
    const stencil_arg *args;
    int swap_count;
    const stencil_swap *swaps;          /* each slot once */
} stencil_kernel;

/* The kernels for one kind of device, or for devices of one name. The kernels of levels > 0 come first, most levels
   first, and of the same levels those that leave results last, but one that folds behind all of them; then, if there are
   any, one kernel of levels == 0 for each sweep in order. A plan has either kind or both; a plan without one-level kernel
   takes single steps with its sweep kernels. */
typedef struct {
    const char *name;                   /* e.g. "gpu" */
    int is_gpu;                         /* preferred on GPUs and accelerators, otherwise on CPUs */
    int number;                         /* the build option -D STENCIL_PLAN=number selects its kernels */
    size_t local_bytes;                 /* local memory of a work-group */
    int margin_lo[STENCIL_MAX_RANK];    /* cells before and behind the core of every tile that kernels may load, whether */
    int margin_hi[STENCIL_MAX_RANK];    /* they use them or not (in layouts of the nest's rank; outermost first) */
    int kernel_count;
    const stencil_kernel *kernels;
    const char *device;                 /* part of the names of the devices it is for; null: all of its kind */
    const long long *sizes;             /* the call's sizes it is for, 0 where any will do; null: all sizes */
    int has_nested_barriers;            /* kernels wait inside loops or branches */
    int has_sub_groups;                 /* kernels exchange registers, better so than through local memory */
} stencil_plan;

/* What becomes known of a nest while the program runs; see cost.c and account.c. All zero at first. */
typedef struct stencil_account stencil_account;

/* How fast the model expects a kind of device to be: seconds for a cell in a step. */
typedef struct {
    double step_seconds;                /* in steps taken one by one */
    double tile_seconds;                /* in the deepest time tiles */
    int levels;                         /* their steps */
} stencil_speed;

/* What the model expects a nest to cost; `bytes` are for a cell. */
typedef struct {
    double host_seconds;                /* for a cell in a step, by the original loops */
    double bytes_up, bytes_down;        /* to the device, and back */
    double row_bytes_up, row_bytes_down; /* the same for each step, of histories, */
    int rows;                           /* and how many buffers that are */
    stencil_speed cpu, gpu;
    stencil_account *account;
} stencil_estimate;

/* What never changes about a rewritten nest. */
typedef struct {
    const char *name;                   /* host function */
    const char *where;                  /* "legacy.c:12" */
    const char *const *source;          /* kernel text, a line an element, with or without its newline */
    unsigned source_lines;
    int number;                         /* the build option -D STENCIL_NEST=number selects its kernels */
    const char *build_options;          /* for the floating-point mode */
    int needs_fp64;
    int needs_exact_float;              /* single-precision / and sqrt must be correctly rounded */
    int no_fallback;                    /* a failure ends the program */
    int plan_count;
    const stencil_plan *plans;          /* in order of preference */
    int has_reach;                      /* sweeps read what sweeps write in so many cells around their own at most, ... */
    int reach[STENCIL_MAX_RANK];        /* in each dimension, outermost first; see preview.c */
    int kept_count;
    const stencil_kept *kept;           /* of a nest whose sweeps have a reach */
    int last_single_steps;              /* so many single steps must follow kernels that leave no results */
    int roundings;                      /* a step's results may differ by so many from the original's; 0: by no bit */
    const char *dead;                   /* variables that the loops change and the driver does not; null: none */
    const char *kernels_for;            /* "gpu" or "cpu": the user wants no other kernels; null: there are all */
    const stencil_estimate *estimate;   /* null: every call is worth the device */
} stencil_nest;

/* Where the time of a call on the device goes. */
typedef enum {
    STENCIL_OPENING,   /* the device, once */
    STENCIL_COMPILING, /* kernels, or taking them from the cache */
    STENCIL_CHECKING,  /* the call, and choosing a plan for it */
    STENCIL_UPLOADING,
    STENCIL_KERNELS,   /* what the device says that they took */
    STENCIL_DOWNLOADING,
    STENCIL_LAUNCHING, /* until they ended, but for that: PoCL compiles at a kernel's first launch */
    STENCIL_VERIFYING,
    STENCIL_WAITING,   /* for other threads */
    STENCIL_RELEASING, /* device memory */
    STENCIL_OTHER,
    STENCIL_PART_COUNT
} stencil_part;

/* What is learnt of a nest, by all threads, and with STENCIL_VERBOSE its account (account.c). */
struct stencil_account {
    double host_factor, host_last;     /* the loops take so many times what the model expects; 0: not known yet */
    int was_started;                   /* its kernels were compiled in an earlier run: 1, or not: 2; 0: not looked at yet */
    int told_loops, told_calls, told_alike; /* lines about calls: by the loops, on the device, on it and like the last one */
    char last[64];                     /* what that one was like */
    long long device_calls, host_calls;
    double host_seconds, device_seconds[STENCIL_PART_COUNT];
    const stencil_nest *nest;      /* null: not in the list yet */
    stencil_account *next;
};
