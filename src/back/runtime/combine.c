/* Combining what points give where it is, on the device: maxima, minima, and sums whose order does not matter. What a device
   cannot settle, because not-a-numbers or zeros of both signs are among the values, is left to the host. */

enum { STENCIL_COMBINE_ITEMS = 128, STENCIL_MAX_COMBINE_GROUPS = 512 };

static const char *const stencil_combine_source[] = {
    "#if FOLD == 1",
    "#define COMBINE(a, b) ((b) > (a) ? (b) : (a))",
    "#elif FOLD == 2",
    "#define COMBINE(a, b) ((b) < (a) ? (b) : (a))",
    "#elif FOLD == 3",
    "#define COMBINE(a, b) ((a) + (b))",
    "#else",
    "#define COMBINE(a, b) ((a) | ((b) != 0))",
    "#endif",
    "/* 1: not a number, 2: a negative zero. */",
    "#if IS_REAL",
    "#define ODDITY(a) ((a) != (a) ? 1 : (a) == 0 && signbit(a) ? 2 : 0)",
    "#else",
    "#define ODDITY(a) 0",
    "#endif",
    "kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))",
    "void stencil_combine(global const TYPE *restrict values, long rows, long width, long extent1, long extent2,",
    "    long stride0, long stride1, long stride2, long origin, long plane, global SUM *restrict parts)",
    "{",
    "    local SUM shared_parts[ITEMS];",
    "    local int oddities[ITEMS];",
    "    const int item = get_local_id(0);",
    "    const long chunks = (width + CHUNK - 1) / CHUNK;",
    "    const global TYPE *const first_value = values + origin + get_group_id(1) * plane;",
    "    const int place = 2 * (int)(get_group_id(1) * get_num_groups(0) + get_group_id(0));",
    "    SUM part = FOLD < 3 ? (SUM)*first_value : (SUM)0;",
    "    int oddity = 0;",
    "    for (long task = get_group_id(0); task < rows * chunks; task += get_num_groups(0)) {",
    "        const long row = task / chunks, first = task % chunks * CHUNK;",
    "        const long last = first + CHUNK < width ? first + CHUNK : width;",
    "        const global TYPE *const line = first_value + row / extent2 / extent1 * stride0",
    "            + row / extent2 % extent1 * stride1 + row % extent2 * stride2;",
    "        for (long x = first + item; x < last; x += ITEMS) {",
    "            const TYPE value = line[x];",
    "            oddity |= ODDITY(value);",
    "            part = COMBINE(part, value);",
    "        }",
    "    }",
    "    shared_parts[item] = part;",
    "    oddities[item] = oddity;",
    "    for (int gap = ITEMS / 2; gap > 0; gap /= 2) {",
    "        barrier(CLK_LOCAL_MEM_FENCE);",
    "        if (item < gap) {",
    "            shared_parts[item] = COMBINE(shared_parts[item], shared_parts[item + gap]);",
    "            oddities[item] |= oddities[item + gap];",
    "        }",
    "    }",
    "    if (item == 0) {",
    "        parts[place] = shared_parts[0];",
    "        parts[place + 1] = oddities[0];",
    "    }",
    "}",
};

/* A kernel for values of one type. A device keeps those that it has compiled. */
struct stencil_combiner {
    stencil_fold fold;
    const char *type;
    cl_kernel kernel;
    struct stencil_combiner *next;
};

/* The room of what points give that a result is; null if it is an array of the user's. */
static stencil_room *stencil_room_of(const stencil_recording *recording, const stencil_call *call, const stencil_result *result)
{
    int room = call->arrays[result->array].room;
    return room ? &recording->rooms[room - 1] : NULL;
}

/* Whether work-items hold longer integers than the values: their sum may be larger than each. */
static int stencil_is_widened(const stencil_array *array, stencil_fold fold)
{
    return array->kind == STENCIL_INTEGER && fold == STENCIL_SUM;
}

/* How the values of a type are summed. */
static const char *stencil_sum_type(const stencil_array *array, const char *type)
{
    return array->kind == STENCIL_REAL ? type : "long";
}

/* Compiles a kernel, or takes it from the cache. */
static cl_kernel stencil_compile_combiner(stencil_session *session, const stencil_array *array, stencil_fold fold,
                                          const char *type)
{
    stencil_kernel described;
    stencil_plan plan;
    stencil_nest nest;
    stencil_built *built;
    stencil_cache cache;
    cl_kernel kernel = NULL;
    char options[160], *source;
    snprintf(options, sizeof options, "-D FOLD=%d -D TYPE=%s -D SUM=%s -D IS_REAL=%d -D ITEMS=%d -D CHUNK=%d", (int)fold, type,
             stencil_sum_type(array, type), array->kind == STENCIL_REAL, (int)STENCIL_COMBINE_ITEMS,
             32 * (int)STENCIL_COMBINE_ITEMS);
    memset(&described, 0, sizeof described);
    memset(&plan, 0, sizeof plan);
    memset(&nest, 0, sizeof nest);
    described.name = "stencil_combine";
    plan.kernel_count = 1;
    plan.kernels = &described;
    nest.source = stencil_combine_source;
    nest.source_lines = sizeof stencil_combine_source / sizeof *stencil_combine_source;
    built = stencil_new_built(&nest, &plan);
    source = stencil_join_source(&nest);
    if (built && source) {
        built->usability[0] = STENCIL_WANTED;
        stencil_open_cache(&cache, session->device->id, source, options, &session->options);
        if (stencil_take_or_compile(built, session->device, &cache, source, options, &session->options))
            kernel = built->kernels[0];
        else
            session->failure = built->failure;
        stencil_close_cache(&cache);
    } else {
        stencil_no_memory(&session->failure);
    }
    free(source);
    stencil_free_built(built);
    return kernel;
}

/* The kernel for values of a type; null if there is none. */
static cl_kernel stencil_find_combiner(stencil_session *session, const stencil_array *array, stencil_fold fold,
                                       const char *type)
{
    stencil_combiner *combiner = session->device->combiners;
    while (combiner && (combiner->fold != fold || strcmp(combiner->type, type) != 0))
        combiner = combiner->next;
    if (combiner)
        return combiner->kernel;
    combiner = calloc(1, sizeof *combiner);
    if (!combiner) {
        stencil_no_memory(&session->failure);
        return NULL;
    }
    combiner->fold = fold;
    combiner->type = type;
    combiner->kernel = stencil_compile_combiner(session, array, fold, type);
    if (!combiner->kernel) {
        free(combiner);
        return NULL;
    }
    combiner->next = session->device->combiners;
    session->device->combiners = combiner;
    return combiner->kernel;
}

/* Values in a buffer: rows of a box of at most three dimensions besides, and as many planes of them as are combined apart. */
typedef struct {
    cl_mem buffer;
    long long rows, width;               /* of a plane, and values of a row */
    long long extents[3], strides[3];    /* by which rows are found */
    long long origin, planes, plane;     /* the first value; and how many values planes are apart */
} stencil_values;

/* The values of a result. */
static stencil_values stencil_values_of(const stencil_session *session, const stencil_result *result)
{
    const stencil_placement *placement = stencil_placement_of(session, result);
    int rank = session->call->arrays[result->array].rank;
    stencil_values values = {stencil_buffer_of(session, result), 1, 0, {1, 1, 1}, {0, 0, 0}, 0, 1, 0};
    values.width = result->box.hi[rank - 1] - result->box.lo[rank - 1] + 1;
    for (int d = 0; d < rank - 1; d++) {
        values.extents[3 - rank + 1 + d] = result->box.hi[d] - result->box.lo[d] + 1;
        values.strides[3 - rank + 1 + d] = placement->stride[d];
        values.rows *= result->box.hi[d] - result->box.lo[d] + 1;
    }
    values.origin = placement->origin + stencil_offset(rank, placement->stride, result->box.lo);
    return values;
}

/* Work-groups for a plane. */
static size_t stencil_combining_groups(const stencil_session *session)
{
    size_t groups = 4 * (size_t)session->compute_units;
    return groups < STENCIL_MAX_COMBINE_GROUPS ? groups : STENCIL_MAX_COMBINE_GROUPS;
}

/* Sets the arguments and launches: a work-group takes one part of a row after the other. */
static int stencil_launch_combiner(stencil_session *session, const stencil_values *values, cl_kernel kernel)
{
    size_t items[2] = {STENCIL_COMBINE_ITEMS, 1};
    size_t all[2] = {stencil_combining_groups(session) * STENCIL_COMBINE_ITEMS, (size_t)values->planes};
    const long long numbers[] = {values->rows,       values->width,      values->extents[1], values->extents[2],
                                 values->strides[0], values->strides[1], values->strides[2], values->origin,
                                 values->plane};
    const cl_uint count = sizeof numbers / sizeof *numbers;
    int is_good = stencil_ok(&session->failure, clSetKernelArg(kernel, 0, sizeof values->buffer, &values->buffer),
                             "clSetKernelArg");
    for (cl_uint i = 0; is_good && i < count; i++)
        is_good = stencil_set_long(session, kernel, 1 + i, numbers[i]);
    return is_good &&
           stencil_ok(&session->failure, clSetKernelArg(kernel, 1 + count, sizeof session->parts, &session->parts),
                      "clSetKernelArg") &&
           stencil_ok(&session->failure,
                      clEnqueueNDRangeKernel(session->device->queue, kernel, 2, NULL, all, items, 0, NULL, NULL),
                      "clEnqueueNDRangeKernel");
}

/* Room on the device for what work-groups find of so many planes. */
static int stencil_create_parts(stencil_session *session, long long planes)
{
    cl_int status = CL_SUCCESS;
    size_t bytes = 2 * STENCIL_MAX_COMBINE_GROUPS * STENCIL_MAX_ELEMENT * (size_t)planes;
    if (session->parts && session->part_planes < planes) {
        clReleaseMemObject(session->parts);
        session->parts = NULL;
    }
    if (!session->parts)
        session->parts = clCreateBuffer(session->device->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    session->part_planes = planes > session->part_planes ? planes : session->part_planes;
    return stencil_ok(&session->failure, status, "clCreateBuffer");
}

/* Combines what work-groups have found of real numbers: the values, each before its oddity. 0 if the host must fold them. */
static int stencil_combine_reals(stencil_fold fold, const double *found, size_t groups, double *value)
{
    double part = found[0];
    int oddity = (int)found[1];
    for (size_t g = 1; g < groups; g++) {
        double other = found[2 * g];
        oddity |= (int)found[2 * g + 1];
        if (fold == STENCIL_SUM)
            part += other;
        else if (fold == STENCIL_MAXIMUM ? other > part : other < part)
            part = other;
    }
    *value = part;
    return fold == STENCIL_SUM || !(oddity & 1 || (oddity & 2 && part == 0));
}

/* The same of integers, where nothing is odd. */
static long long stencil_combine_integers(stencil_fold fold, const long long *found, size_t groups)
{
    long long part = found[0];
    for (size_t g = 1; g < groups; g++) {
        long long other = found[2 * g];
        if (fold == STENCIL_MAXIMUM || fold == STENCIL_MINIMUM)
            part = (fold == STENCIL_MAXIMUM ? other > part : other < part) ? other : part;
        else
            part = (long long)((unsigned long long)part + (unsigned long long)other);
    }
    return part;
}

/* Combines what work-groups have found of a plane of elements of an array. */
static stencil_combined stencil_combine_found(const stencil_array *array, stencil_fold fold, const void *found, size_t groups)
{
    double reals[2 * STENCIL_MAX_COMBINE_GROUPS];
    stencil_combined combined = {1, 0, 0, 0};
    if (array->kind != STENCIL_REAL) {
        combined.integer = stencil_combine_integers(fold, found, groups);
        return combined;
    }
    for (size_t i = 0; i < 2 * groups; i++)
        reals[i] = array->element_size == sizeof(float) ? (double)((const float *)found)[i] : ((const double *)found)[i];
    combined.is_known = stencil_combine_reals(fold, reals, groups, &combined.real);
    return combined;
}

/* Reads what work-groups have found of each plane, and combines it. */
static int stencil_read_parts(stencil_session *session, const stencil_array *array, stencil_fold fold, long long planes,
                              stencil_combined *combined)
{
    size_t size = array->kind == STENCIL_REAL && array->element_size == sizeof(float) ? sizeof(float) : 8;
    size_t groups = stencil_combining_groups(session);
    const char *found = stencil_map(session, session->parts, CL_MAP_READ, 0, 2 * groups * size * (size_t)planes);
    if (!found)
        return 0;
    for (long long p = 0; p < planes; p++)
        combined[p] = stencil_combine_found(array, fold, found + (size_t)p * 2 * groups * size, groups);
    return stencil_ok(&session->failure,
                      clEnqueueUnmapMemObject(session->device->queue, session->parts, (void *)(size_t)found, 0, NULL, NULL),
                      "clEnqueueUnmapMemObject");
}

/* Fewer values are sooner folded by the host. */
#ifndef STENCIL_COMBINED_VALUES
#define STENCIL_COMBINED_VALUES 4096
#endif

/* Cells of the box of a result that is not empty. */
static double stencil_cells_of(const stencil_array *array, const stencil_result *result)
{
    double cells = 1;
    for (int d = 0; d < array->rank; d++)
        cells *= (double)(result->box.hi[d] - result->box.lo[d] + 1);
    return cells;
}

/* Whether a device should combine a result: all of its box is there, and it is large. */
static int stencil_is_worth_combining(const stencil_session *session, const stencil_result *result, stencil_fold fold)
{
    const stencil_array *array = &session->call->arrays[result->array];
    return fold != STENCIL_IN_ORDER && !result->contains && stencil_cells_of(array, result) >= STENCIL_COMBINED_VALUES;
}

/* Combines values of an array's type, plane by plane. 0 if the device has failed. */
static int stencil_combine(stencil_session *session, const stencil_array *array, const stencil_values *values,
                           stencil_fold fold, const char *type, stencil_combined *combined)
{
    cl_kernel kernel = stencil_find_combiner(session, array, fold, type);
    return kernel && stencil_create_parts(session, values->planes) && stencil_launch_combiner(session, values, kernel) &&
           stencil_read_parts(session, array, fold, values->planes, combined);
}

/* Combines the values of a result that is not empty, where they are. 0 if the device has failed; what the host must fold is not
   known then. */
static int stencil_combine_result(stencil_session *session, const stencil_result *result, stencil_room *room)
{
    stencil_values values = stencil_values_of(session, result);
    return stencil_combine(session, &session->call->arrays[result->array], &values, room->fold, room->type,
                           &room->combined);
}
