/* Runs a nest on arrays of its own, of the call's sizes, in place of the caller's, and prints what came of it. */

static const char *stencil_measured_kinds; /* a letter an array: f float, d double, i integer */

/* Index of the used element with the lowest address, or the highest. */
static long long stencil_end_of(const stencil_array *array, int highest)
{
    long long index = 0;
    for (int d = 0; d < array->rank; d++)
        index += (highest ? array->used.hi[d] : array->used.lo[d]) * array->stride[d];
    return index;
}

/* Elements between those two, both included. */
static size_t stencil_measured_count(const stencil_array *array)
{
    if (stencil_is_empty(array->rank, &array->used))
        return 0;
    return (size_t)(stencil_end_of(array, 1) - stencil_end_of(array, 0) + 1);
}

static char *stencil_measured_memory(const stencil_array *array)
{
    return (char *)array->base + stencil_end_of(array, 0) * (long long)array->element_size;
}

/* Values from 0.5 to 1, or small integers, that differ from element to element. */
static void stencil_fill_measured(const stencil_array *array, char kind, unsigned seed)
{
    size_t count = stencil_measured_count(array);
    char *memory = stencil_measured_memory(array);
    for (size_t i = 0; i < count; i++) {
        unsigned bits = ((unsigned)i + seed) * 2654435761u;
        double value = 0.5 + (bits >> 8) / 33554432.0;
        float single = (float)value;
        if (kind == 'd')
            memcpy(memory + i * sizeof value, &value, sizeof value);
        else if (kind == 'f')
            memcpy(memory + i * sizeof single, &single, sizeof single);
        else
            memory[i * array->element_size] = (char)(bits >> 29);
    }
}

static int stencil_make_measured(stencil_array *arrays, int count)
{
    for (int i = 0; i < count; i++) {
        long long all, first;
        size_t elements;
        char *memory;
        /* There are no tables of pointers to rows. */
        if (!stencil_is_plain(&arrays[i]) && !stencil_place_copy(&arrays[i], &all, &first))
            return 0;
        elements = stencil_measured_count(&arrays[i]);
        memory = calloc(elements + 1, arrays[i].element_size);
        if (!memory)
            return 0;
        arrays[i].base = memory;
        if (elements)
            arrays[i].base = memory - stencil_end_of(&arrays[i], 0) * (long long)arrays[i].element_size;
        stencil_fill_measured(&arrays[i], stencil_measured_kinds[i], (unsigned)i * 7919u);
    }
    return 1;
}

/* Prints a hash of all bits, in which all NaN are the same, and the sum of all magnitudes. */
static void stencil_print_digest(const stencil_array *arrays, int count)
{
    unsigned long long hash = 1469598103934665603ull;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        size_t elements = arrays[i].is_written ? stencil_measured_count(&arrays[i]) : 0;
        for (size_t k = 0; k < elements; k++) {
            const char *element = stencil_measured_memory(&arrays[i]) + k * arrays[i].element_size;
            unsigned long long bits = 0;
            double value = 0;
            float single = 0;
            memcpy(&bits, element, arrays[i].element_size);
            if (stencil_measured_kinds[i] == 'd')
                memcpy(&value, element, sizeof value);
            if (stencil_measured_kinds[i] == 'f') {
                memcpy(&single, element, sizeof single);
                value = single;
            }
            hash = (hash ^ (value != value ? 1 : bits)) * 1099511628211ull;
            sum += value < 0 ? -value : value;
        }
    }
    printf("digest %016llx %.17g\n", hash, sum);
}

enum { STENCIL_MEASURED_RUNS = 5 };

static int stencil_measure(const stencil_nest *nest, const stencil_call *given, stencil_turn *turn)
{
    stencil_call call = *given;
    stencil_array *arrays = calloc((size_t)call.array_count + 1, sizeof *arrays);
    (void)turn; /* a nest without loops is never too small for the device */
    if (!arrays)
        return 0;
    memcpy(arrays, given->arrays, (size_t)call.array_count * sizeof *arrays);
    call.arrays = arrays;
    if (!stencil_make_measured(arrays, call.array_count)) {
        fprintf(stderr, "out of memory for arrays\n");
        return 0;
    }
    for (int i = 0; i < STENCIL_MEASURED_RUNS; i++) {
        if (!stencil_run(nest, &call, NULL))
            return 0;
        if (i > 0)
            continue;
        stencil_print_digest(arrays, call.array_count);
        printf("kind %s\n", stencil_is_cpu(stencil_current_device(&stencil_shared_v9)) ? "cpu" : "gpu");
        printf("device %s\n", stencil_current_device(&stencil_shared_v9)->name);
    }
    return 1;
}

#define stencil_run stencil_measure
