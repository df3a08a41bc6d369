/* STENCIL_VERIFY: what the nest should leave is kept aside while the user's own loops run. */

struct stencil_verification {
    stencil_array *arrays; /* the call's tables, which will be gone when its loops have run */
    stencil_result *results;
    stencil_left *left;
    void *context;
    int array_count, result_count, left_count, fold_count;
    stencil_array *copies; /* of what the nest uses, a block of memory each */
    void **memory;         /* theirs */
    stencil_left *folds;   /* scalars that steps fold */
    char *folded;          /* what the driver makes of them: STENCIL_MAX_ELEMENT bytes each */
    long long steps;
    double tolerance; /* what the user asks for; negative: the nest's own */
};

static void stencil_say_not_verified(const stencil_nest *nest, const char *reason)
{
    fprintf(stderr, "%s: %s: not verified: %s\n", nest->where, nest->name, reason);
}

static void stencil_release_verification(stencil_verification *verification)
{
    if (!verification)
        return;
    for (int i = 0; verification->memory && i < verification->array_count; i++)
        free(verification->memory[i]);
    free(verification->memory);
    free(verification->copies);
    free(verification->arrays);
    free(verification->results);
    free(verification->left);
    free(verification->folds);
    free(verification->folded);
    free(verification->context);
    free(verification);
}

/* A copy of `bytes` bytes, null without memory. */
static void *stencil_duplicate(const void *from, size_t bytes)
{
    void *copy = malloc(bytes + 1);
    if (copy && bytes)
        memcpy(copy, from, bytes);
    return copy;
}

static int stencil_keep_tables(stencil_verification *kept, const stencil_call *call)
{
    kept->array_count = call->array_count;
    kept->result_count = call->result_count;
    kept->left_count = call->left_count;
    kept->arrays = stencil_duplicate(call->arrays, (size_t)call->array_count * sizeof *call->arrays);
    kept->results = stencil_duplicate(call->results, (size_t)call->result_count * sizeof *call->results);
    kept->left = stencil_duplicate(call->left, (size_t)call->left_count * sizeof *call->left);
    /* What the nest leaves in one of two that are the same memory stands beside the results of the other. */
    for (int i = 0; kept->arrays && i < call->array_count; i++)
        kept->arrays[i].is_scratch |= stencil_is_aliased(call, i);
    kept->context = stencil_duplicate(call->context, call->context_size);
    for (int i = 0; kept->arrays && i < call->array_count; i++)
        kept->arrays[i].context = kept->context;
    kept->copies = stencil_duplicate(kept->arrays, kept->arrays ? (size_t)call->array_count * sizeof *kept->arrays : 0);
    kept->memory = calloc((size_t)call->array_count + 1, sizeof *kept->memory);
    return kept->arrays && kept->results && kept->left && kept->context && kept->copies && kept->memory;
}

/* Lets a copy's elements follow each other; 0 if they are too many. `count`: the elements of its box. */
static int stencil_place_copy(stencil_array *copy, long long *count, long long *first)
{
    long long extent, corner;
    memset(copy->is_pointer, 0, sizeof copy->is_pointer);
    copy->is_behind_pointer = 0;
    *count = 1;
    *first = 0;
    for (int d = copy->rank - 1; d >= 0; d--) {
        copy->stride[d] = *count;
        if (!stencil_extent(copy->used.lo[d], copy->used.hi[d], &extent) ||
            !stencil_multiply(copy->used.lo[d], *count, &corner) || !stencil_add(*first, corner, first) ||
            !stencil_multiply(*count, extent, count))
            return 0;
    }
    return 1;
}

/* Copies the used elements of one array. */
static int stencil_copy_array(const stencil_array *array, stencil_array *copy, void **memory)
{
    long long count, first;
    int inner = array->rank - 1;
    stencil_row row;
    if (stencil_is_empty(array->rank, &array->used))
        return 1;
    *memory = stencil_place_copy(copy, &count, &first) ? calloc((size_t)count, array->element_size) : NULL;
    if (!*memory)
        return 0;
    copy->base = (void *)((uintptr_t)*memory - (uintptr_t)first * array->element_size);
    for (int more = stencil_first_array_row(&row, array, &array->used); more; more = stencil_next_row(&row))
        stencil_copy_elements(stencil_element(copy, row.cell), 1, stencil_element(array, row.cell), array->stride[inner],
                              row.length, array->element_size);
    return 1;
}

/* What the nest uses, as it is before the loops run, and room for the device's results; null without memory. */
static stencil_verification *stencil_keep_arrays(const stencil_call *call, double tolerance)
{
    stencil_verification *kept = calloc(1, sizeof *kept);
    int is_good = kept && stencil_keep_tables(kept, call);
    for (int i = 0; is_good && i < call->array_count; i++)
        is_good = stencil_copy_array(&kept->arrays[i], &kept->copies[i], &kept->memory[i]);
    if (!is_good) {
        stencil_release_verification(kept);
        return NULL;
    }
    kept->steps = call->steps;
    kept->tolerance = tolerance;
    return kept;
}

/* Brings what the device has stored for the host to fold to the driver's own memory, which has other strides. */
static void stencil_fill_rooms(const stencil_verification *kept, const stencil_call *call)
{
    stencil_row row;
    for (int i = 0; i < call->array_count; i++) {
        const stencil_array *array = &call->arrays[i], *copy = &kept->copies[i];
        int inner = array->rank - 1;
        if (!array->room || !array->base || !kept->memory[i])
            continue;
        for (int more = stencil_first_array_row(&row, array, &array->used); more; more = stencil_next_row(&row))
            stencil_copy_elements(stencil_element(array, row.cell), array->stride[inner], stencil_element(copy, row.cell), 1,
                                  row.length, array->element_size);
    }
}

/* Whether scalars that steps fold are to be compared, too. Then `left` gets the places of copies of them, as they are before
   the loops run, for the driver to fold what the device has computed. */
static STENCIL_UNUSED int stencil_keep_folds(stencil_turn *turn, const stencil_call *call, const stencil_left *folds,
                                             int count, void **left)
{
    stencil_verification *kept = turn->kept;
    if (!kept)
        return 0;
    kept->folds = stencil_duplicate(folds, (size_t)count * sizeof *folds);
    kept->folded = calloc((size_t)count, STENCIL_MAX_ELEMENT);
    if (!kept->folds || !kept->folded)
        return 0;
    kept->fold_count = count;
    for (int i = 0; i < count; i++) {
        left[i] = kept->folded + (size_t)i * STENCIL_MAX_ELEMENT;
        memcpy(left[i], folds[i].variable, folds[i].size);
    }
    stencil_fill_rooms(kept, call);
    return 1;
}
