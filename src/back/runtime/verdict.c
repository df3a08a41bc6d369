/* STENCIL_VERIFY: what was kept aside is compared with what the user's loops have left. */

/* Roundings in which a time step may differ where only contraction of a * b + c makes the difference. */
enum { STENCIL_CONTRACTED_ROUNDINGS = 16 };

typedef struct {
    const stencil_nest *nest;
    const stencil_verification *kept;
    long long compared, different; /* elements */
    int is_wrong;                  /* a difference is not tolerated */
    int is_far;                    /* a difference is larger than contraction explains */
} stencil_verdict;

/* Compares the elements of a box. */
static void stencil_compare_box(const stencil_verification *kept, int index, const stencil_box *box,
                                int (*contains)(const long long *cell, const void *context),
                                stencil_comparison *comparison)
{
    const stencil_array *array = &kept->arrays[index], *copy = &kept->copies[index];
    size_t size = array->element_size;
    int inner = array->rank - 1;
    stencil_row row;
    for (int more = stencil_first_array_row(&row, array, box); more; more = stencil_next_row(&row)) {
        long long end = row.cell[inner] + row.length;
        if (!contains && array->stride[inner] == 1 &&
            memcmp(stencil_element(copy, row.cell), stencil_element(array, row.cell), (size_t)row.length * size) == 0) {
            comparison->compared += row.length;
            continue;
        }
        for (; row.cell[inner] < end; row.cell[inner]++)
            if (!contains || contains(row.cell + array->is_history, kept->context))
                stencil_compare_values(comparison, array->kind, size, row.cell, stencil_element(copy, row.cell),
                                       stencil_element(array, row.cell));
    }
}

/* Compares the results, and what the nest should leave alone: all that it uses. Elements beside the results may change
   meanwhile where the user vouches for an array, and do where it is scratch. */
static void stencil_compare_elements(const stencil_verification *kept, int index, stencil_comparison *comparison)
{
    const stencil_array *array = &kept->arrays[index];
    if (!array->is_restrict && !array->is_scratch) {
        stencil_compare_box(kept, index, &array->used, NULL, comparison);
        return;
    }
    for (int i = 0; i < kept->result_count; i++)
        if (kept->results[i].array == index)
            stencil_compare_box(kept, index, &kept->results[i].box, kept->results[i].contains, comparison);
}

/* The largest finite magnitude among the used elements of an array of real numbers. */
static double stencil_largest_magnitude(const stencil_array *array)
{
    double largest = 0, value;
    int inner = array->rank - 1;
    stencil_row row;
    for (int more = stencil_first_array_row(&row, array, &array->used); more; more = stencil_next_row(&row)) {
        long long end = row.cell[inner] + row.length;
        for (; row.cell[inner] < end; row.cell[inner]++) {
            const char *element = stencil_element(array, row.cell);
            if (!stencil_is_finite(element, array->element_size))
                continue;
            value = stencil_real(element, array->element_size);
            value = value < 0 ? -value : value;
            largest = value > largest ? value : largest;
        }
    }
    return largest;
}

/* So many roundings a step, relative to the largest number. */
static double stencil_rounding_bound(const stencil_verification *kept, int roundings, size_t size)
{
    double epsilon = size == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
    return epsilon * roundings * (double)(kept->steps > 1 ? kept->steps : 1);
}

/* Whether the largest difference is tolerated, `magnitude` being the largest number; 1 if it is. */
static int stencil_judge(stencil_verdict *verdict, const stencil_comparison *comparison, size_t size, double magnitude)
{
    const stencil_verification *kept = verdict->kept;
    int roundings = verdict->nest->roundings;
    double bound = kept->tolerance >= 0 ? kept->tolerance : stencil_rounding_bound(kept, roundings, size);
    int passes = bound > 0 && comparison->largest <= bound * magnitude;
    if (!passes)
        verdict->is_wrong = 1;
    if (comparison->largest > stencil_rounding_bound(kept, STENCIL_CONTRACTED_ROUNDINGS, size) * magnitude)
        verdict->is_far = 1;
    return passes;
}

static void stencil_verify_array(stencil_verdict *verdict, int index)
{
    const stencil_nest *nest = verdict->nest;
    const stencil_array *array = &verdict->kept->arrays[index];
    stencil_comparison comparison;
    int passes;
    if (array->room)
        return;
    memset(&comparison, 0, sizeof comparison);
    comparison.largest = -1;
    stencil_compare_elements(verdict->kept, index, &comparison);
    verdict->compared += comparison.compared;
    verdict->different += comparison.different;
    if (comparison.different == 0)
        return;
    passes = stencil_judge(verdict, &comparison, array->element_size,
                           array->kind == STENCIL_REAL ? stencil_largest_magnitude(array) : 0);
    fprintf(stderr, "%s: %s: verify: array %s %s at ", nest->where, nest->name, array->name,
            passes ? "is close enough, farthest" : "differs");
    for (int d = 0; d < array->rank; d++)
        fprintf(stderr, "[%lld]", comparison.cell[d]);
    stencil_print_pair(&comparison, array->kind, array->element_size);
    fprintf(stderr, " (%lld of %lld elements)\n", comparison.different, comparison.compared);
}

/* What real numbers would add up to that were folded, if all were as large as the largest. */
static double stencil_folded_magnitude(const stencil_verification *kept)
{
    double all = 0;
    for (int i = 0; i < kept->array_count; i++) {
        const stencil_array *copy = &kept->copies[i];
        double magnitude = copy->room && copy->kind == STENCIL_REAL && kept->memory[i] ? stencil_largest_magnitude(copy) : 0;
        for (int d = 0; magnitude > 0 && d < copy->rank; d++)
            magnitude *= (double)copy->used.hi[d] - (double)copy->used.lo[d] + 1;
        all += magnitude;
    }
    return all;
}

/* `value`: what the nest should leave in it; `variable`: where it is now; `magnitude`: of what it was made of. */
static void stencil_verify_variable(stencil_verdict *verdict, const stencil_left *left, const void *value,
                                    const void *variable, double magnitude)
{
    stencil_comparison comparison;
    double largest = 0;
    int passes;
    memset(&comparison, 0, sizeof comparison);
    comparison.largest = -1;
    stencil_compare_values(&comparison, left->kind, left->size, NULL, value, variable);
    if (comparison.different == 0)
        return;
    if (left->kind == STENCIL_REAL && stencil_is_finite(variable, left->size))
        largest = stencil_real(variable, left->size);
    largest = largest < 0 ? -largest : largest;
    passes = stencil_judge(verdict, &comparison, left->size, largest > magnitude ? largest : magnitude);
    fprintf(stderr, "%s: %s: verify: variable %s %s", verdict->nest->where, verdict->nest->name, left->name,
            passes ? "is close enough" : "differs");
    stencil_print_pair(&comparison, left->kind, left->size);
    fputc('\n', stderr);
}

static void stencil_print_verdict(const stencil_verdict *verdict)
{
    const stencil_nest *nest = verdict->nest;
    int variable_count = verdict->kept->left_count + verdict->kept->fold_count;
    int is_exact = nest->roundings == 0 && verdict->kept->tolerance < 0;
    if (verdict->is_wrong) {
        if (is_exact && !verdict->is_far)
            fprintf(stderr, "%s: %s: verify: a compiler that may contract a * b + c, or reorder, makes differences as "
                    "small as these: compile the loops with -ffp-contract=off, or allow so much with "
                    "STENCIL_VERIFY=1e-12, say\n", nest->where, nest->name);
        fprintf(stderr, "%s: %s: verify: keeping the results of the original loops\n", nest->where, nest->name);
    } else if (verdict->compared > 0 || variable_count > 0) {
        fprintf(stderr, "%s: %s: verified: %lld elements %s", nest->where, nest->name, verdict->compared,
                verdict->different > 0 ? "close enough" : "identical");
        if (variable_count > 0)
            fprintf(stderr, ", %d variable%s as well", variable_count, variable_count > 1 ? "s" : "");
        if (nest->dead)
            fprintf(stderr, "; not compared, as nothing reads them later: %s", nest->dead);
        fputc('\n', stderr);
    }
}

/* Compares everything, and tells. A difference that is not tolerated ends the program if it wants no other results than the
   device's. `left`: where the variables are that the nest leaves. */
static void stencil_verify(const stencil_nest *nest, const stencil_verification *kept, void *const *left)
{
    stencil_verdict verdict;
    double magnitude;
    memset(&verdict, 0, sizeof verdict);
    verdict.nest = nest;
    verdict.kept = kept;
    stencil_lock();
    for (int i = 0; i < kept->array_count; i++)
        stencil_verify_array(&verdict, i);
    for (int i = 0; i < kept->left_count; i++)
        stencil_verify_variable(&verdict, &kept->left[i], kept->left[i].value, left[i], 0);
    magnitude = kept->fold_count > 0 ? stencil_folded_magnitude(kept) : 0;
    for (int i = 0; i < kept->fold_count; i++)
        stencil_verify_variable(&verdict, &kept->folds[i], kept->folded + (size_t)i * STENCIL_MAX_ELEMENT,
                                kept->folds[i].variable, magnitude);
    stencil_print_verdict(&verdict);
    if (verdict.is_wrong && stencil_read_options().is_strict)
        stencil_end_program();
    stencil_unlock();
}
