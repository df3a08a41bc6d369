/* A variable that the nest leaves changed, and its value then. */
typedef struct {
    const char *name;
    void *variable;                     /* its address */
    size_t size;                        /* bytes */
    stencil_kind kind;
    char value[STENCIL_MAX_ELEMENT];    /* as the variable's bytes */
} stencil_left;

/* The values of an expression in all iterations: from `lo` to `hi`, none if `lo` is larger. */
typedef struct {
    long long lo, hi;
} stencil_interval;

typedef enum {
    STENCIL_RANGE_VALUE,      /* `value` */
    STENCIL_RANGE_SUM,        /* a + b */
    STENCIL_RANGE_DIFFERENCE, /* a - b */
    STENCIL_RANGE_PRODUCT,    /* a * b */
    STENCIL_RANGE_QUOTIENT,   /* a / value */
    STENCIL_RANGE_REMAINDER,  /* a % value */
    STENCIL_RANGE_FROM,       /* from the least of `a` to the greatest of `b` */
    STENCIL_RANGE_AT_LEAST,   /* those of `a` that are not below all of `b` */
    STENCIL_RANGE_AT_MOST,    /* those of `a` that are not above all of `b` */
    STENCIL_RANGE_WITHOUT     /* those of `a` but its ends if they are `b` */
} stencil_range_kind;

typedef struct {
    stencil_range_kind kind;
    long long value;
    int a, b; /* earlier steps */
} stencil_range_step;

/* The last step's values must be between `least` and `greatest`. */
typedef struct {
    long long least, greatest;
    int is_source; /* it says that a sweep comes to an element that is stored alone behind it */
    int is_length; /* it says that a loop has no more iterations than kernels have written out */
    int step_count;
    const stencil_range_step *steps;
    stencil_interval *values; /* room for those of all steps */
} stencil_range_check;

/* One call of it. */
typedef struct {
    int integer_count, range_check_count;
    const long long *integers;          /* all that bounds, conditions and subscripts need */
    const stencil_range_check *range_checks;
    const char *index_array;            /* one whose elements are not those that kernels go by, or null */
    const char *lacking;                /* one that may have less elements than the nest uses under conditions, or null */
    const char *differing;              /* what the threads of the team that calls bring with different values, or null */
    long long steps;
    int rank;                           /* dimensions of the tiled box */
    stencil_box tiled;                  /* hull of all sweeps' domains */
    int array_count, layout_count, field_count, sweep_count, result_count, scalar_count;
    const stencil_array *arrays;
    const stencil_layout *layouts;
    const stencil_field *fields;
    const stencil_sweep *sweeps;
    const stencil_result *results;
    const stencil_scalar *scalars;
    const void *context;                /* for the callbacks */
    size_t context_size;                /* bytes */
    int left_count;
    stencil_left *left;                 /* see `stencil_leave`; each variable once */
    int variable_count;
    const stencil_variable *variables;  /* that written arrays might reach into, for all the tool knows */
    int apart_count;
    const stencil_variable *apart;      /* two and two, which must not share memory */
    int size_count;                     /* 0: no plan asks for sizes */
    const long long *sizes;             /* values of the nest's integer parameters */
    int alias_count;
    const stencil_alias *aliases;
} stencil_call;

/* What is kept while the original loops run, see verify.c. */
typedef struct stencil_verification stencil_verification;

/* Where a nest's host function is in its turn, in one thread: it may have asked for the original loops, after which it is
   called again. All zero at first; `missed` and what follows is what cost.c remembers. */
typedef struct {
    stencil_quick *quick;       /* what every call looks at */
    const void *asking;         /* frame of the call that is going on */
    const char *differing;      /* as in its call */
    int is_timed, is_told;      /* the loops are timed; and STENCIL_VERBOSE tells of it */
    stencil_verification *kept; /* what they are compared with; null: nothing */
    double missed;              /* seconds that calls took longer by their loops than the device would have taken */
    int has_started;            /* a call has gone to the device */
    double start, expected;     /* when the loops began, and how long the model expects them to take */
} stencil_turn;
