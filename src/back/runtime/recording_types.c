/* What is asked for when the tables of a call have been made. */
typedef enum {
    STENCIL_BEGIN,   /* a session with the arrays as they are */
    STENCIL_ADVANCE, /* the device takes what is pending */
    STENCIL_TILES,   /* it takes whole tiles of that; results may be lacking behind them */
    STENCIL_PREVIEW, /* what of the results will be in the part of memory that is wanted, when all that is pending has been taken, goes
                        to the arrays; 2: they must be taken */
    STENCIL_AHEAD,   /* the device runs ahead */
    STENCIL_LAND,    /* it takes back what it is ahead, or has taken of the step in progress, and has taken the steps so far and no
                        more */
    STENCIL_DELIVER, /* results go to the arrays */
    STENCIL_FETCH,   /* all that may fail of that is done before, while the arrays are what they were, */
    STENCIL_PUT,     /* and they get what was fetched */
    STENCIL_LEND,    /* another session looks for an array, or gets it: see chain.c */
    STENCIL_COMPLETE, /* results of the steps that were taken are complete, as others take them over */
    STENCIL_MEET,    /* whether results are in the part of memory that is wanted; nothing is done */
    STENCIL_PART,    /* what of the results is in that part goes to the arrays; 2: all of them must */
    STENCIL_TOUCH,   /* whether arrays are in the part of memory that is wanted; nothing is done */
    STENCIL_STORE,   /* the host will store in that part: it gets what is there now; 2: all must be brought before, 3: the session must
                        be closed before */
    STENCIL_TAKE,    /* what it has stored goes to the device */
    STENCIL_FORESEE, /* what the step in progress should leave is kept, and the session closed */
    STENCIL_CLOSE,   /* the session */
    STENCIL_RUN,     /* one step by itself */
    STENCIL_GATHER,  /* what the points of the last step give goes to the host */
    STENCIL_FORETELL, /* what those of the step in progress give does, of which the device takes the legs so far; 2: it cannot */
    STENCIL_COMPARE, /* whether the host's comparisons come out alike for all that sums may be; the driver's own text tells, */
    STENCIL_FOLD,    /* and folds what is there, */
    STENCIL_REPLAY   /* as it takes steps on the host */
} stencil_request;

/* How values are folded whose order does not matter. */
typedef enum { STENCIL_IN_ORDER, STENCIL_MAXIMUM, STENCIL_MINIMUM, STENCIL_SUM, STENCIL_ANY } stencil_fold;

/* What values come to, as one number. */
typedef struct {
    int is_known;
    int is_rough; /* the lower half of the real number's bits is lacking */
    double real;
    long long integer;
} stencil_combined;

/* The driver's own memory for what points give. */
typedef struct {
    stencil_fold fold;
    const char *type;          /* of the values, in OpenCL C */
    int is_bounded;            /* bounds of their sum, which has an order, or of their maximum may be enough */
    int is_compared;           /* they are needed, as the host compares that in each step */
    void *memory;
    size_t size;               /* bytes */
    int has_points;
    stencil_combined combined; /* what the device has made of the values of the last step, */
    stencil_combined *ahead;   /* and of those of each step that it is ahead */
    double ends[2];            /* between which the sum in its order, or the maximum, is */
    int leg;                   /* of a step within which the host does something, counted from 0 */
} stencil_room;

/* What the host gives each step: that of step s is element s % wheel. */
typedef struct {
    size_t size;  /* of an element */
    int array;    /* of a call; -1: no kernel needs it */
    int field;
    void *values; /* null: nothing is recorded */
} stencil_given;

/* Whether the host knows what the first leg of the step in progress comes to. */
typedef enum {
    STENCIL_UNTOLD,
    STENCIL_NEARLY, /* it can compare */
    STENCIL_TOLD
} stencil_told;

typedef struct stencil_batch stencil_batch;
typedef struct stencil_aside stencil_aside;

/* Steps of a loop that the host keeps, in one thread; see record.c. All zero at first. The host's arrays hold what they should
   after `delivered` steps, but for what was brought alone since, instead of which that is in `asides`; the device's after
   `taken`; `pending` more are written down. */
typedef struct stencil_recording stencil_recording;

/* What a session wants of those before it in its chain. */
typedef enum {
    STENCIL_WHETHER, /* whether all that they know of an array can be had; 2: it cannot */
    STENCIL_ALL,     /* the array as it was before the session's own steps; 2: somebody else must have it */
    STENCIL_CHANGES, /* what these steps have made of it */
    STENCIL_COVER    /* nothing: whether later ones have changed all that it has; 2: they have */
} stencil_wish;

typedef struct stencil_wanted stencil_wanted;

/* Nests whose arrays stay on the device from one to the next, in one thread; see chain.c. All zero at first but `expected`. */
typedef struct {
    long long expected;      /* calls that it is expected to have: as many as the last time */
    long long calls;         /* that it has had */
    stencil_recording *last; /* the one whose session goes on; null: there is none */
    int past_count;
    stencil_recording *past; /* those before it, the first one first: the host's arrays know nothing of them */
    stencil_wanted *wanted;
} stencil_chain;

struct stencil_recording {
    int (*act)(stencil_recording *recording, const void *arguments, long long steps);
    void *arguments;           /* of the first step */
    size_t size;               /* bytes */
    stencil_request request;   /* to whom `act` belongs */
    int is_open;
    long long delivered, taken, pending;
    long long first_step;      /* of those to replay */
    long long expected;        /* steps that the last recording had */
    int leg_count;             /* of a step within which the host does something; 0: it does nothing there */
    int legs;                  /* of the step in progress that were asked for; see legs.c */
    int host_legs;             /* of those, how many the host has taken */
    long long leg_step;        /* its number */
    int first_leg, last_leg;   /* to replay, counted from 0 */
    int ended, ended_by_host;  /* steps since that was last looked at, and those of them that the host has taken */
    int rest;                  /* steps that the loops take before the device is tried again */
    int is_of_loops;           /* the program's own loops take the step: 1, or the leg that they were asked for */
    int is_verified;           /* they do so to be compared: the session has what there was before the step */
    stencil_verification *kept; /* what they should leave; null: that is not known yet */
    stencil_chain *chain;      /* null: it is in none */
    int is_whole;              /* its steps are whole nests, each begun anew: `taken` is 1 at most */
    int has_folds;             /* steps fold something */
    int room_count;
    stencil_room *rooms;
    int listed_count;
    void **listed;             /* what functions of the library give in each iteration of a loop, the same in all steps: arrays of
                                  the driver's own; null: not filled yet */
    int given_count;
    stencil_given *given;
    long long wheel;           /* elements of each: the host's arrays are never so many steps behind */
    long long given_until;     /* what steps before this one are given is on the device */
    int tells_early;           /* what steps fold is looked at behind their first leg, which folds all of it; see tell.c */
    unsigned telling_legs;     /* one bit each: what these fold is looked at behind each of them; 0: behind the first one alone */
    int told_legs;             /* of the step in progress, whose folds the host knows, where there are such bits */
    int folded_leg;            /* what is folded is that leg's, counted from 0 */
    int goes_through;          /* the host cannot leave a step then, and reaches no array there: its first leg takes it */
    stencil_told told;         /* of a step in progress of which that is so */
    int owes_values;           /* the last step has not been folded yet */
    int is_near;               /* it has, with sums and maxima that are right for comparisons alone */
    int needs_order;           /* such sums must be the original's */
    int folds_again;           /* these alone are folded once more: all else the host has, and may have changed */
    long long steady;          /* steps that were folded one by one since anything else was asked for, */
    long long last_steady;     /* and how many there were the time before; 0: not known */
    long long ahead_from;      /* the device is so many steps ahead of this one, ... */
    int ahead;                 /* 0: it is not */
    stencil_batch *batches;    /* what ran since the arrays were last brought */
    int batch_count;
    stencil_layout *layouts;   /* of the session, */
    stencil_array *arrays;     /* the arrays, with all that its steps use of them, */
    void *context;             /* and what their callbacks need */
    const char *from, *to;     /* the part of memory that is wanted, without `to`; the array at `from` if that is null */
    size_t stride, length;     /* of it so many bytes at each of these distances from `from` on; 0: all */
    int is_behind;             /* it has pointers, and what is wanted is behind each of them, */
    long long first, end;      /* from so many bytes to before so many */
    stencil_aside *asides;     /* what parts of arrays held before they were brought alone, the last one first */
    size_t aside_bytes;
    stencil_aside *stored;     /* parts in which the host stores or has stored, which the device has not taken yet */
    size_t stored_bytes;       /* of those that it has taken, in `batches` */
    int has_no_previews;       /* parts that were wanted could not be had before all steps were taken */
    int brings_all;            /* large parts were brought that were no longer the same: they come with all the rest */
    struct stencil_work *work; /* the session's; null: none */
    int launches_nothing;      /* what it still does is done without kernels */
    void (*at_exit)(void);     /* ends the recording where the host ends the program in its loop; null: it does not */
};
