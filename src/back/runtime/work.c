/* A session and a call in progress: what the other files build up, step by step. */

/* What device memory holds before the first launch wherever no array has an element, repeated in every 8 bytes of a
   buffer. No result may depend on it: see poison.c. */
#ifndef STENCIL_POISON
#define STENCIL_POISON 0
#endif

/* Where the cells of a layout are in its buffers: cell x is element origin + sum of x[d] * stride[d]. */
typedef struct {
    long long origin, stride[STENCIL_MAX_RANK];
    long long cells; /* elements of a buffer, margins included */
    long long reach; /* no term of that sum, nor any sum of some of them, is larger than this for a cell of the buffer */
} stencil_placement;

/* The device memory of a slot. A launch that swaps the slot reads `current` and writes `other`. */
typedef struct {
    cl_mem current, other; /* null: none */
    int needs_other;
    int is_kept;           /* `other` has what `current` held before the step that is under way */
} stencil_slot;

/* `count` launches of a kernel; or `count` steps, each with the plan's sweep kernels, if `kernel` is -1. */
typedef struct {
    int kernel;
    long long first_step, count;
} stencil_phase;

static const char *const stencil_part_names[STENCIL_PART_COUNT] = {
    "device", "compiler", "checks", "upload", "kernels", "download", "launching", "verification", "other threads",
    "release", "other",
};

/* How far a call is that began while some of its kernels were lacking; see climb.c. */
typedef struct {
    int is_low, began_low;   /* single steps take the place of launches of several; they did, or might have, at first */
    int is_measured;         /* whether the batch that is going on may be timed: no kernel of it is new */
    long long batch, filled; /* launches to replace between two looks, and of them done */
    long long batch_steps;   /* of these */
    long long steps, left;   /* taken in place of others, and until the end of the call */
    double since;            /* when the batch began */
    double step_seconds;     /* the fastest batch's; 0: not known yet */
} stencil_climb;

/* A call in which each row of a history is an array and a result of its own; see history.c. */
typedef struct {
    stencil_call call;
    stencil_array *arrays;
    stencil_field *fields;
    stencil_result *results;
    int *first_row; /* for each field the place of its first row among the arrays */
} stencil_expansion;

/* What a session allows; README.md tells what leads from one to the next. */
typedef enum { STENCIL_CLOSED, STENCIL_OPEN, STENCIL_FAILED } stencil_session_state;

/* A nest's data on a device from one call of the runtime to the next; see session.c. All zero at first. */
typedef struct {
    stencil_session_state state;
    stencil_failure failure;       /* why it has failed */
    stencil_options options;
    const stencil_nest *nest;
    const stencil_call *call;      /* its tables stay as they are; bases of arrays and values of scalars may change */
    stencil_expansion *expansion;  /* whose call that is; null: the nest has no history */
    stencil_shared *shared;
    stencil_device *device;
    const stencil_plan *plan;
    stencil_built *built;
    long long step;                /* steps complete: slots rotate with it */
    int legs;                      /* of the next one that were taken; see underway.c */
    int takes_singly;              /* no launch takes several steps, as each is taken leg by leg */
    long long lacking;             /* single steps until results are complete, too; 0: they are */
    const stencil_kernel *last_open; /* the last launch, if it has left no results; null: another one */
    long long lacking_before;      /* what was lacking before it */
    int stays_open;                /* results need not be complete behind the steps that are asked for */
    stencil_placement *placements; /* one a layout */
    stencil_slot *slots;           /* those of all fields */
    stencil_chain *chain;          /* those that have arrays for it; null: nobody has */
    long long bytes;               /* of the device's memory, about */
    int is_crowded;                /* it has no room beside the others */
    int has_borrowed;              /* it did not begin with what the host has of its arrays */
    long long asked;               /* steps that the phases take */
    int is_scheduled;              /* the phases are for the next steps, and all is there that they need */
    stencil_phase *phases;         /* they count from `step` */
    int phase_count;
    int saves_compiling;           /* whether the schedule counts what kernels cost that are not compiled */
    int main_levels;               /* that take most of the steps if it does not; 0: none do, or in one launch */
    cl_uint compute_units;
    int is_apart;                  /* whether the device has a memory of its own */
    cl_mem parts;                  /* what work-groups find that combine values; null: nothing yet */
    long long part_planes;         /* of how many sets of values there is room for */
    cl_mem scratch;                /* for what previews put back; null: nothing yet */
    size_t scratch_bytes;
    cl_mem *held;                  /* what work-items hold of values, room by room; null: nothing yet */
    int held_count;
    cl_mem *pins;                  /* buffers that pin parts of the user's arrays */
    int pin_count;
    char *staging;                 /* null: not needed yet; see stage.c */
    int is_staging_pinned;
    int keeps_pins;                /* the host frees no array before the session closes */
    unsigned char *is_pinned;      /* whether what the session uses of an array was pinned, where that pays */
    const stencil_result *results; /* what is being read */
    stencil_result *fetched;       /* these, until they are put into the arrays; null: there are none */
    int result_count;
    void **mapped;                 /* a result's first element on the device; null: not mapped */
    cl_mem *mapped_buffers;
    stencil_climb climb;
    long long launches;
    double first_launch;           /* when it was enqueued; 0: not yet */
    double since;                  /* until then all time has a name in */
    double seconds[STENCIL_PART_COUNT];
} stencil_session;

/* A call of a host function, or a recording. */
typedef struct stencil_work {
    const stencil_nest *nest;
    const stencil_call *call;
    stencil_options options;
    stencil_shared *shared;
    stencil_failure failure;
    stencil_session session; /* closed as long as the device is not asked */
    double started;          /* when it was */
    double foreseen;         /* calls, this one among them, that what is foreseen is for; 0: it alone */
    double expected_seconds; /* that the model expects the call to take on a device that is ready */
} stencil_work;

static int stencil_floor_mod(long long a, int b)
{
    int rest = (int)(a % b);
    return rest < 0 ? rest + b : rest;
}

/* Slots of the fields before one. */
static int stencil_count_slots(const stencil_call *call, int field)
{
    int count = 0;
    for (int i = 0; i < field; i++)
        count += call->fields[i].slots;
    return count;
}

static stencil_slot *stencil_slots_of(const stencil_session *session, int field)
{
    return &session->slots[stencil_count_slots(session->call, field)];
}

/* The slot that is at relative number `relative` when `step` steps are complete. */
static stencil_slot *stencil_slot_at(const stencil_session *session, int field, long long step, int relative)
{
    int slots = session->call->fields[field].slots;
    return &stencil_slots_of(session, field)[stencil_floor_mod(step % slots + relative, slots)];
}

/* Walks over the rows of a box: runs of cells along the last dimension. Whoever looks at single cells may move `cell`
   along the row. */
typedef struct {
    int rank;
    const stencil_box *box;
    const stencil_array *array;       /* null: all cells; else those alone that the nest uses of it, from the first to the last */
    long long cell[STENCIL_MAX_RANK]; /* first cell of the row */
    long long length;
} stencil_row;

/* Finds where the row begins and ends; 0 if nothing of it is wanted. */
static int stencil_measure_row(stencil_row *row)
{
    int inner = row->rank - 1;
    long long lo = row->box->lo[inner], hi = row->box->hi[inner], first, last;
    if (row->array && row->array->row) {
        if (!row->array->row(row->cell, &first, &last, row->array->context))
            return 0;
        lo = first > lo ? first : lo;
        hi = last < hi ? last : hi;
    }
    row->cell[inner] = lo;
    row->length = hi - lo + 1;
    return lo <= hi;
}

/* Goes to the next row, in lexicographic order; 0 after the last. */
static int stencil_next_row(stencil_row *row)
{
    int d = row->rank - 2;
    while (d >= 0) {
        if (row->cell[d] == row->box->hi[d]) {
            row->cell[d] = row->box->lo[d];
            d--;
            continue;
        }
        row->cell[d]++;
        if (stencil_measure_row(row))
            return 1;
        d = row->rank - 2;
    }
    return 0;
}

static int stencil_start_rows(stencil_row *row, int rank, const stencil_array *array, const stencil_box *box)
{
    row->rank = rank;
    row->box = box;
    row->array = array;
    memcpy(row->cell, box->lo, sizeof row->cell);
    return !stencil_is_empty(rank, box) && (stencil_measure_row(row) || stencil_next_row(row));
}

/* Goes to the first row; 0 if the box is empty. */
static int stencil_first_row(stencil_row *row, int rank, const stencil_box *box)
{
    return stencil_start_rows(row, rank, NULL, box);
}

/* The same for the elements of an array. */
static int stencil_first_array_row(stencil_row *row, const stencil_array *array, const stencil_box *box)
{
    return stencil_start_rows(row, array->rank, array, box);
}

static void stencil_copy_elements(char *to, long long to_stride, const char *from, long long from_stride,
                                  long long count, size_t size)
{
    if (to_stride == 1 && from_stride == 1) {
        memcpy(to, from, (size_t)count * size);
        return;
    }
    for (long long i = 0; i < count; i++)
        memcpy(to + i * to_stride * (long long)size, from + i * from_stride * (long long)size, size);
}
