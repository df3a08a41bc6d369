/* What must hold before the device may take over: one function a rule. Each returns 1, or 0 with the reason. */

static int stencil_check_floating_point(const stencil_nest *nest, const stencil_device *device,
                                        stencil_failure *failure)
{
    if (nest->needs_fp64 && !device->has_fp64)
        return stencil_fail(failure, "device %s has no double precision", device->name);
    if (nest->needs_exact_float && !(device->single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT))
        return stencil_fail(failure, "single-precision division is not correctly rounded on device %s", device->name);
    if (nest->needs_exact_float && !(device->single & CL_FP_DENORM))
        return stencil_fail(failure, "device %s flushes single-precision denormals to zero", device->name);
    return 1;
}

/* The dimensions of an array, those with the greater strides first. */
static void stencil_order_dimensions(const stencil_array *array, int *order)
{
    for (int d = 0; d < array->rank; d++) {
        int at = d;
        for (; at > 0 && array->stride[order[at - 1]] < array->stride[d]; at--)
            order[at] = order[at - 1];
        order[at] = d;
    }
}

/* Elements of a written array must be distinct: a step in a dimension must lead past all that the dimensions with less
   strides reach. */
static int stencil_check_distinct_elements(const stencil_array *array, stencil_failure *failure)
{
    long long reach = 0, extent, further;
    int order[STENCIL_MAX_RANK];
    stencil_order_dimensions(array, order);
    for (int k = array->rank - 1; k >= 0; k--) {
        int d = order[k];
        if (array->used.lo[d] == array->used.hi[d])
            continue;
        if (array->stride[d] <= reach)
            return stencil_fail(failure, "two index vectors of array %s may name the same element", array->name);
        if (!stencil_subtract(array->used.hi[d], array->used.lo[d], &extent) ||
            !stencil_multiply(extent, array->stride[d], &further) || !stencil_add(reach, further, &reach))
            return stencil_fail(failure, "array %s is too large", array->name);
    }
    return 1;
}

/* Addresses of the first used byte and of the one behind the last; equal if nothing is used. */
static int stencil_find_bytes(const stencil_array *array, uintptr_t *begin, uintptr_t *end)
{
    long long first, last, size = (long long)array->element_size;
    *begin = *end = 0;
    if (stencil_is_empty(array->rank, &array->used))
        return 1;
    if (!stencil_span(array->rank, array->stride, &array->used, &first, &last) || !stencil_add(last, 1, &last) ||
        !stencil_multiply(first, size, &first) || !stencil_multiply(last, size, &last))
        return 0;
    *begin = (uintptr_t)array->base + (uintptr_t)first;
    *end = (uintptr_t)array->base + (uintptr_t)last;
    return *begin < *end;
}

/* Whether every element of an array is a multiple of its spacing behind the first one. */
static int stencil_is_spaced(const stencil_array *array)
{
    if (array->spacing < 2 || array->stride[array->rank - 1] != 1)
        return 0;
    for (int d = 0; d < array->rank - 1; d++)
        if (array->stride[d] % array->spacing != 0)
            return 0;
    return 1;
}

/* Fields that are interleaved, such as real and imaginary parts, share no element although each surrounds the other's. */
static int stencil_is_interleaved(const stencil_array *a, uintptr_t a_begin, const stencil_array *b, uintptr_t b_begin)
{
    uintptr_t distance = a_begin < b_begin ? b_begin - a_begin : a_begin - b_begin;
    return stencil_is_spaced(a) && stencil_is_spaced(b) && a->spacing == b->spacing &&
           a->element_size == b->element_size && distance % a->element_size == 0 &&
           distance / a->element_size % (uintptr_t)a->spacing != 0;
}

/* Whether two arrays are members of structures of one size, and no byte of the one's members is at the place of one of the
   other's. Both are in one block of memory: their rows and planes are whole structures apart. */
static int stencil_are_other_members(const stencil_array *a, const stencil_array *b)
{
    uintptr_t size = (uintptr_t)a->record, at;
    if (a->record == 0 || a->record != b->record || !stencil_is_plain(a) || !stencil_is_plain(b))
        return 0;
    /* Where the members of `b` begin, counted from those of `a`, in the round of a structure. */
    at = ((uintptr_t)b->base % size + (uintptr_t)b->record_first + 2 * size - (uintptr_t)a->base % size -
          (uintptr_t)a->record_first) % size;
    return at >= (uintptr_t)(a->record_end - a->record_first) && at + (uintptr_t)(b->record_end - b->record_first) <= size;
}

/* Whether two arrays are one: equal index vectors name the same element. */
static int stencil_is_one_array(const stencil_array *a, const stencil_array *b)
{
    if (a->base != b->base || a->is_behind_pointer != b->is_behind_pointer || a->element_size != b->element_size || a->rank != b->rank ||
        a->record != b->record || a->record_first != b->record_first)
        return 0;
    for (int d = 0; d < a->rank; d++)
        if (a->stride[d] != b->stride[d] || a->is_pointer[d] != b->is_pointer[d])
            return 0;
    return 1;
}

/* Whether arrays `a` and `b`, with `a` < `b`, are one, and may be. */
static int stencil_may_be_one_array(const stencil_call *call, int a, int b)
{
    for (int i = 0; i < call->alias_count; i++)
        if (call->aliases[i].a == a && call->aliases[i].b == b)
            return stencil_is_one_array(&call->arrays[a], &call->arrays[b]);
    return 0;
}

/* Whether an array is the same memory as another one of the call. */
static int stencil_is_aliased(const stencil_call *call, int array)
{
    for (int i = 0; i < call->alias_count; i++)
        if ((call->aliases[i].a == array || call->aliases[i].b == array) &&
            stencil_is_one_array(&call->arrays[call->aliases[i].a], &call->arrays[call->aliases[i].b]))
            return 1;
    return 0;
}

/* The greatest integer not above a / b, for b > 0. */
static long long stencil_floor_quotient(long long a, long long b)
{
    return a / b - (a % b < 0);
}

/* Index vectors are looked at no farther if more than so many of a dimension lead to places near the one that is looked for. */
enum { STENCIL_MOST_CANDIDATES = 4 };

/* Whether no vector of `between`, multiplied by the strides of dimensions from `d` on, comes to a distance in elements; 0 also if that
   cannot be told. */
static int stencil_comes_to_none(const stencil_array *array, const stencil_box *between, int d, long long distance)
{
    long long stride = array->stride[d], least = 0, most = 0, from, to, part;
    if (stride < 1 || distance > LLONG_MAX / 4 || distance < -LLONG_MAX / 4)
        return 0;
    for (int inner = d + 1; inner < array->rank; inner++) {
        if (array->stride[inner] < 1 || !stencil_multiply(between->lo[inner], array->stride[inner], &part) ||
            !stencil_add(least, part, &least) || !stencil_multiply(between->hi[inner], array->stride[inner], &part) ||
            !stencil_add(most, part, &most))
            return 0;
    }
    if (!stencil_subtract(distance, most, &from) || !stencil_subtract(distance, least, &to))
        return 0;
    from = -stencil_floor_quotient(-from, stride);
    to = stencil_floor_quotient(to, stride);
    from = from < between->lo[d] ? between->lo[d] : from;
    to = to > between->hi[d] ? between->hi[d] : to;
    if (from <= to && (d + 1 == array->rank || to - from >= STENCIL_MOST_CANDIDATES))
        return 0;
    for (long long x = from; x <= to; x++)
        if (!stencil_multiply(x, stride, &part) || !stencil_comes_to_none(array, between, d + 1, distance - part))
            return 0;
    return 1;
}

/* Whether two arrays of equal strides, such as planes of one that are chosen by number, share no element that is used, although the
   used elements of the one surround the other's. */
static int stencil_share_no_element(const stencil_array *a, uintptr_t a_begin, const stencil_array *b, uintptr_t b_begin)
{
    uintptr_t bytes = a_begin < b_begin ? b_begin - a_begin : a_begin - b_begin;
    long long distance;
    stencil_box between;
    memset(&between, 0, sizeof between);
    if (a->rank != b->rank || a->element_size != b->element_size || a->record || b->record ||
        bytes % a->element_size != 0 || bytes > (uintptr_t)LLONG_MAX / 4)
        return 0;
    distance = (long long)(bytes / a->element_size);
    distance = a_begin < b_begin ? distance : -distance;
    for (int d = 0; d < a->rank; d++) {
        long long a_cells, b_cells;
        if (a->stride[d] != b->stride[d] || !stencil_subtract(a->used.hi[d], a->used.lo[d], &a_cells) ||
            !stencil_subtract(b->used.hi[d], b->used.lo[d], &b_cells))
            return 0;
        /* Elements that are `between` apart from the corners of both boxes, which are at the first bytes. */
        between.lo[d] = -b_cells;
        between.hi[d] = a_cells;
    }
    return stencil_comes_to_none(a, &between, 0, distance);
}

/* `b` is one block of memory; arrays of which either has tables of pointers are compared in rows.c. */
static int stencil_check_overlap(const stencil_array *a, const stencil_array *b, stencil_failure *failure)
{
    uintptr_t a_begin, a_end, b_begin, b_end;
    if (a->is_restrict || b->is_restrict || !(a->is_written || b->is_written) || !stencil_is_plain(a))
        return 1;
    if (stencil_find_bytes(a, &a_begin, &a_end) && stencil_find_bytes(b, &b_begin, &b_end) &&
        (a_begin == a_end || b_begin == b_end || a_end <= b_begin || b_end <= a_begin ||
         stencil_is_interleaved(a, a_begin, b, b_begin) || stencil_are_other_members(a, b) ||
         stencil_share_no_element(a, a_begin, b, b_begin)))
        return 1;
    return stencil_fail(failure, "arrays %s and %s overlap", a->name, b->name);
}

/* Says that an array has elements that are a variable, or a part of one. */
static int stencil_fail_for_variable(const stencil_array *array, const stencil_variable *variable, stencil_failure *failure)
{
    if (array->is_written)
        return stencil_fail(failure, "array %s may change the variable %s", array->name, variable->name);
    return stencil_fail(failure, "the variable %s may change array %s", variable->name, array->name);
}

/* Kernels get values of variables, and what the nest leaves in one is stored behind its steps: an element that is stored must be
   no part of one, and one that is read no part of one that is left changed. */
static int stencil_check_variable(const stencil_call *call, const stencil_variable *variable, stencil_failure *failure)
{
    uintptr_t first = (uintptr_t)variable->address, begin, end;
    for (int i = 0; i < call->array_count; i++) {
        const stencil_array *array = &call->arrays[i];
        if ((array->is_written || variable->is_left) && stencil_is_plain(array) && !stencil_is_empty(array->rank, &array->used) &&
            (!stencil_find_bytes(array, &begin, &end) || (first < end && begin < first + variable->size)))
            return stencil_fail_for_variable(array, variable, failure);
    }
    return 1;
}

/* What the nest assigns must be no variable whose value kernels get. */
static int stencil_check_apart(const stencil_variable *pair, stencil_failure *failure)
{
    uintptr_t one = (uintptr_t)pair[0].address, other = (uintptr_t)pair[1].address;
    if (one + pair[0].size <= other || other + pair[1].size <= one)
        return 1;
    return stencil_fail(failure, "%s and %s are one variable", pair[0].name, pair[1].name);
}

/* What is used under conditions alone is there if it is within the size that the program states. */
static int stencil_check_stated(const stencil_array *array, stencil_failure *failure)
{
    for (int d = 0; d < array->rank && array->stated[0]; d++)
        if (array->used.lo[d] < 0 || array->used.hi[d] >= array->stated[d])
            return stencil_fail(failure, "array %s is smaller than what the nest could touch of it", array->name);
    return 1;
}

static int stencil_fail_assumed(const stencil_array *array, stencil_failure *failure)
{
    return stencil_fail(failure, "array %s may be smaller than what the nest could use of it", array->name);
}

/* Whether the box of an array has elements that no part of the nest uses, beyond all that are used: index vectors overlap. */
static int stencil_reaches_beyond(const stencil_array *array)
{
    stencil_failure overlap;
    return !array->is_written && !stencil_check_distinct_elements(array, &overlap);
}

/* Arrays that are one block of memory. */
static int stencil_check_arrays(const stencil_call *call, stencil_failure *failure)
{
    for (int i = 0; i < call->array_count; i++) {
        const stencil_array *array = &call->arrays[i];
        uintptr_t begin, end;
        if (stencil_is_empty(array->rank, &array->used))
            continue;
        if (!stencil_check_stated(array, failure))
            return 0;
        if (!stencil_is_plain(array))
            continue;
        if (!array->base)
            return stencil_fail(failure, "there is no memory for array %s", array->name);
        if (array->is_written && !stencil_check_distinct_elements(array, failure))
            return 0;
        if (!stencil_find_bytes(array, &begin, &end))
            return stencil_fail(failure, "array %s is too large", array->name);
        if ((array->is_assumed || stencil_reaches_beyond(array)) && !stencil_is_readable(begin, end))
            return stencil_fail_assumed(array, failure);
        for (int j = 0; j < i; j++)
            if (!stencil_may_be_one_array(call, j, i) && !stencil_check_overlap(&call->arrays[j], array, failure))
                return 0;
    }
    for (int i = 0; i < call->variable_count; i++)
        if (!stencil_check_variable(call, &call->variables[i], failure))
            return 0;
    for (int i = 0; i < call->apart_count; i++)
        if (!stencil_check_apart(&call->apart[2 * i], failure))
            return 0;
    return 1;
}

/* Kernels compute with cells as int, up to a tile or work-group and a margin outside a box. */
static int stencil_check_cells(const stencil_plan *plan, int rank, const stencil_box *box, stencil_failure *failure)
{
    long long outside = 0;
    for (int k = 0; k < plan->kernel_count; k++)
        for (int d = 0; d < STENCIL_MAX_RANK; d++) {
            const stencil_kernel *kernel = &plan->kernels[k];
            long long items = d < 3 ? (long long)kernel->work_group[d] : 1;
            long long tile = kernel->levels > 0 ? kernel->tile[d] : 1;
            outside = items > outside ? items : outside;
            outside = tile > outside ? tile : outside;
        }
    for (int d = 0; d < rank; d++)
        if (box->lo[d] < INT_MIN + outside + plan->margin_lo[d] || box->hi[d] > INT_MAX - outside - plan->margin_hi[d])
            return stencil_fail(failure, "an index does not fit into 32 bits");
    return 1;
}

static int stencil_check_boxes(const stencil_call *call, const stencil_plan *plan, stencil_failure *failure)
{
    if (!stencil_check_cells(plan, call->rank, &call->tiled, failure))
        return 0;
    for (int i = 0; i < call->layout_count; i++)
        if (!stencil_check_cells(plan, call->layouts[i].rank, &call->layouts[i].box, failure))
            return 0;
    for (int i = 0; i < call->sweep_count; i++)
        if (!stencil_is_empty(call->sweeps[i].rank, &call->sweeps[i].domain) &&
            !stencil_check_cells(plan, call->sweeps[i].rank, &call->sweeps[i].domain, failure))
            return 0;
    return 1;
}

/* A result that had no place on the device would be lost. */
static int stencil_check_results(const stencil_call *call, stencil_failure *failure)
{
    for (int i = 0; i < call->result_count; i++) {
        const stencil_result *result = &call->results[i];
        const stencil_array *array = &call->arrays[result->array];
        const stencil_layout *layout = &call->layouts[call->fields[result->field].layout];
        if (!stencil_is_empty(array->rank, &result->box) &&
            !(stencil_is_inside(array->rank, &result->box, &layout->box) &&
              stencil_is_inside(array->rank, &result->box, &array->used)))
            return stencil_fail(failure, "elements of array %s are written outside the nest's bounds", array->name);
    }
    return 1;
}
