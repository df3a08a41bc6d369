/* STENCIL_VERIFY: the original nest runs on copies of the arrays, and its results are compared with the device's. */

typedef struct {
    void **copies; /* allocated memory, one an array */
    void **bases;  /* where element (0, ..., 0) of each copy would be */
    long long compared, different;
} stencil_verification;

/* Copies the used elements of one array, keeping the strides. */
static int stencil_copy_array(const stencil_array *array, void **copy, void **base)
{
    long long first, last;
    stencil_row row;
    if (stencil_is_empty(array->rank, &array->used)) {
        *base = array->base;
        return 1;
    }
    if (!stencil_span(array->rank, array->stride, &array->used, &first, &last))
        return 0;
    *copy = calloc((size_t)(last - first + 1), array->element_size);
    if (!*copy)
        return 0;
    *base = (void *)((uintptr_t)*copy - (uintptr_t)first * array->element_size);
    for (int more = stencil_first_row(&row, array->rank, &array->used); more; more = stencil_next_row(&row))
        stencil_copy_elements(stencil_element(array, *base, row.cell), array->stride[array->rank - 1],
                              stencil_element(array, array->base, row.cell), array->stride[array->rank - 1], row.length,
                              array->element_size);
    return 1;
}

static int stencil_copy_arrays(const stencil_call *call, stencil_verification *verification)
{
    verification->copies = calloc((size_t)call->array_count, sizeof *verification->copies);
    verification->bases = calloc((size_t)call->array_count, sizeof *verification->bases);
    if (!verification->copies || !verification->bases)
        return 0;
    for (int i = 0; i < call->array_count; i++)
        if (!stencil_copy_array(&call->arrays[i], &verification->copies[i], &verification->bases[i]))
            return 0;
    return 1;
}

static void stencil_release_copies(const stencil_call *call, stencil_verification *verification)
{
    for (int i = 0; verification->copies && i < call->array_count; i++)
        free(verification->copies[i]);
    free(verification->copies);
    free(verification->bases);
}

/* Prints the bits of an element, and what they mean as a floating-point number where they may be one. */
static void stencil_print_bits(const char *element, size_t size)
{
    double wide;
    float narrow;
    uint64_t bits64;
    uint32_t bits32;
    if (size == sizeof wide) {
        memcpy(&wide, element, size);
        memcpy(&bits64, element, size);
        fprintf(stderr, "0x%016llx (%.17g)", (unsigned long long)bits64, wide);
    } else if (size == sizeof narrow) {
        memcpy(&narrow, element, size);
        memcpy(&bits32, element, size);
        fprintf(stderr, "0x%08lx (%.9g)", (unsigned long)bits32, (double)narrow);
    } else {
        for (size_t i = 0; i < size; i++)
            fprintf(stderr, "%s%02x", i == 0 ? "bytes " : " ", (unsigned)(unsigned char)element[i]);
    }
}

/* The first difference of an array; the line is ended once the differences are counted. */
static void stencil_print_difference(const stencil_work *work, const stencil_array *array, const long long *cell,
                                     const char *device, const char *original)
{
    fprintf(stderr, "%s: %s: verify: array %s differs at ", work->region->where, work->region->name, array->name);
    for (int d = 0; d < array->rank; d++)
        fprintf(stderr, "[%lld]", cell[d]);
    fprintf(stderr, ": device ");
    stencil_print_bits(device, array->element_size);
    fprintf(stderr, ", original ");
    stencil_print_bits(original, array->element_size);
}

static void stencil_compare_result(const stencil_work *work, int index, stencil_verification *verification)
{
    const stencil_result *result = &work->call->results[index];
    const stencil_array *array = &work->call->arrays[result->array];
    long long compared = 0, different = 0;
    int inner = array->rank - 1;
    stencil_row row;
    for (int more = stencil_first_row(&row, array->rank, &result->box); more; more = stencil_next_row(&row))
        for (; row.cell[inner] <= result->box.hi[inner]; row.cell[inner]++) {
            const char *device = stencil_mapped_element(work, index, row.cell);
            const char *original = stencil_element(array, verification->bases[result->array], row.cell);
            if (result->contains && !result->contains(row.cell, work->call->context))
                continue;
            compared++;
            if (memcmp(device, original, array->element_size) != 0 && different++ == 0)
                stencil_print_difference(work, array, row.cell, device, original);
        }
    if (different > 0)
        fprintf(stderr, " (%lld of %lld elements)\n", different, compared);
    verification->compared += compared;
    verification->different += different;
}

/* Compares all results. 1 if `verification` has the original's results and they differ from the device's. */
static int stencil_verify(const stencil_work *work, stencil_verification *verification)
{
    const stencil_region *region = work->region;
    memset(verification, 0, sizeof *verification);
    if (!work->call->reference) {
        fprintf(stderr, "%s: %s: not verified: the program has no original loops\n", region->where, region->name);
        return 0;
    }
    if (!stencil_copy_arrays(work->call, verification)) {
        fprintf(stderr, "%s: %s: not verified: out of host memory\n", region->where, region->name);
        return 0;
    }
    work->call->reference(verification->bases, work->call->context);
    for (int i = 0; i < work->call->result_count; i++)
        if (!stencil_is_empty(work->call->arrays[work->call->results[i].array].rank, &work->call->results[i].box))
            stencil_compare_result(work, i, verification);
    if (verification->different == 0)
        fprintf(stderr, "%s: %s: verified: %lld elements identical\n", region->where, region->name,
                verification->compared);
    return verification->different > 0;
}
