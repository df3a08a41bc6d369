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
    "    long stride0, long stride1, long stride2, long origin, global SUM *restrict parts)",
    "{",
    "    local SUM shared_parts[ITEMS];",
    "    local int oddities[ITEMS];",
    "    const int item = get_local_id(0);",
    "    const long chunks = (width + CHUNK - 1) / CHUNK;",
    "    SUM part = FOLD < 3 ? (SUM)values[origin] : (SUM)0;",
    "    int oddity = 0;",
    "    for (long task = get_group_id(0); task < rows * chunks; task += get_num_groups(0)) {",
    "        const long row = task / chunks, first = task % chunks * CHUNK;",
    "        const long last = first + CHUNK < width ? first + CHUNK : width;",
    "        const global TYPE *const line = values + origin + row / extent2 / extent1 * stride0",
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
    "        parts[2 * get_group_id(0)] = shared_parts[0];",
    "        parts[2 * get_group_id(0) + 1] = oddities[0];",
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
    stencil_region region;
    stencil_built *built;
    stencil_cache cache;
    cl_kernel kernel = NULL;
    char options[160], *source;
    snprintf(options, sizeof options, "-D FOLD=%d -D TYPE=%s -D SUM=%s -D IS_REAL=%d -D ITEMS=%d -D CHUNK=%d", (int)fold, type,
             stencil_sum_type(array, type), array->kind == STENCIL_REAL, (int)STENCIL_COMBINE_ITEMS,
             32 * (int)STENCIL_COMBINE_ITEMS);
    memset(&described, 0, sizeof described);
    memset(&plan, 0, sizeof plan);
    memset(&region, 0, sizeof region);
    described.name = "stencil_combine";
    plan.kernel_count = 1;
    plan.kernels = &described;
    region.source = stencil_combine_source;
    region.source_lines = sizeof stencil_combine_source / sizeof *stencil_combine_source;
    built = stencil_new_built(&region, &plan);
    source = stencil_join_source(&region);
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

/* Sets the arguments and launches: a work-group takes one part of a row after the other. */
static int stencil_launch_combiner(stencil_session *session, const stencil_result *result, cl_kernel kernel, size_t groups)
{
    const stencil_placement *placement = stencil_placement_of(session, result);
    int rank = session->call->arrays[result->array].rank;
    cl_mem values = stencil_buffer_of(session, result);
    long long extents[3] = {1, 1, 1}, strides[3] = {0, 0, 0}, rows = 1;
    long long width = result->box.hi[rank - 1] - result->box.lo[rank - 1] + 1;
    size_t items = STENCIL_COMBINE_ITEMS, all = groups * STENCIL_COMBINE_ITEMS;
    int is_good;
    for (int d = 0; d < rank - 1; d++) {
        extents[3 - rank + 1 + d] = result->box.hi[d] - result->box.lo[d] + 1;
        strides[3 - rank + 1 + d] = placement->stride[d];
        rows *= extents[3 - rank + 1 + d];
    }
    is_good = stencil_ok(&session->failure, clSetKernelArg(kernel, 0, sizeof values, &values), "clSetKernelArg") &&
              stencil_set_long(session, kernel, 1, rows) && stencil_set_long(session, kernel, 2, width) &&
              stencil_set_long(session, kernel, 3, extents[1]) && stencil_set_long(session, kernel, 4, extents[2]);
    for (cl_uint d = 0; d < 3; d++)
        is_good = is_good && stencil_set_long(session, kernel, 5 + d, strides[d]);
    is_good = is_good &&
              stencil_set_long(session, kernel, 8,
                               placement->origin + stencil_offset(rank, placement->stride, result->box.lo)) &&
              stencil_ok(&session->failure, clSetKernelArg(kernel, 9, sizeof session->parts, &session->parts),
                         "clSetKernelArg");
    return is_good && stencil_ok(&session->failure,
                                 clEnqueueNDRangeKernel(session->device->queue, kernel, 1, NULL, &all, &items, 0, NULL, NULL),
                                 "clEnqueueNDRangeKernel");
}

/* Room on the device for what work-groups find. */
static int stencil_create_parts(stencil_session *session)
{
    cl_int status = CL_SUCCESS;
    size_t bytes = 2 * STENCIL_MAX_COMBINE_GROUPS * STENCIL_MAX_ELEMENT;
    if (!session->parts)
        session->parts = clCreateBuffer(session->device->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
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

/* Reads what work-groups have found, and combines it. */
static int stencil_read_parts(stencil_session *session, const stencil_array *array, stencil_fold fold, size_t groups,
                              stencil_room *room)
{
    int is_float = array->kind == STENCIL_REAL && array->element_size == sizeof(float);
    double reals[2 * STENCIL_MAX_COMBINE_GROUPS];
    void *found = stencil_map(session, session->parts, CL_MAP_READ, 0, 2 * groups * (is_float ? sizeof(float) : 8));
    if (!found)
        return 0;
    for (size_t i = 0; array->kind == STENCIL_REAL && i < 2 * groups; i++)
        reals[i] = is_float ? (double)((const float *)found)[i] : ((const double *)found)[i];
    room->is_combined = 1;
    if (array->kind == STENCIL_REAL)
        room->is_combined = stencil_combine_reals(fold, reals, groups, &room->real);
    else
        room->integer = stencil_combine_integers(fold, found, groups);
    return stencil_ok(&session->failure,
                      clEnqueueUnmapMemObject(session->device->queue, session->parts, found, 0, NULL, NULL),
                      "clEnqueueUnmapMemObject");
}

/* Fewer values are sooner folded by the host. */
#ifndef STENCIL_COMBINED_VALUES
#define STENCIL_COMBINED_VALUES 4096
#endif

/* Whether a device should combine a result: all of its box is there, and it is large. */
static int stencil_is_worth_combining(const stencil_session *session, const stencil_result *result, stencil_fold fold)
{
    double cells = 1;
    for (int d = 0; d < session->call->arrays[result->array].rank; d++)
        cells *= (double)(result->box.hi[d] - result->box.lo[d] + 1);
    return fold != STENCIL_IN_ORDER && !result->contains && cells >= STENCIL_COMBINED_VALUES;
}

/* Combines the values of a result that is not empty. 0 if the device has failed; where the host must fold them they are not
   combined. */
static int stencil_combine(stencil_session *session, const stencil_result *result, stencil_fold fold, const char *type,
                           stencil_room *room)
{
    const stencil_array *array = &session->call->arrays[result->array];
    size_t groups = 4 * (size_t)session->compute_units;
    cl_kernel kernel = stencil_find_combiner(session, array, fold, type);
    if (groups > STENCIL_MAX_COMBINE_GROUPS)
        groups = STENCIL_MAX_COMBINE_GROUPS;
    return kernel && stencil_create_parts(session) && stencil_launch_combiner(session, result, kernel, groups) &&
           stencil_read_parts(session, array, fold, groups, room);
}
