/* What generated host functions compute with. Not every driver needs all of it, and clang would say so. */

static inline STENCIL_UNUSED stencil_box stencil_empty_box(void)
{
    stencil_box box;
    int d;

    for (d = 0; d < STENCIL_MAX_RANK; d++) {
        box.lo[d] = 0;
        box.hi[d] = -1;
    }
    return box;
}

/* The smallest box around both; an empty one adds nothing. */
static inline STENCIL_UNUSED stencil_box stencil_hull(stencil_box a, stencil_box b, int rank)
{
    int d;

    if (stencil_is_empty(rank, &a))
        return b;
    if (stencil_is_empty(rank, &b))
        return a;
    for (d = 0; d < rank; d++) {
        if (b.lo[d] < a.lo[d])
            a.lo[d] = b.lo[d];
        if (b.hi[d] > a.hi[d])
            a.hi[d] = b.hi[d];
    }
    return a;
}

/* Whether a number is finite, whatever the compiler is told to assume. */
static inline STENCIL_UNUSED int stencil_is_number(double value)
{
    unsigned long long bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits >> 52 & 0x7ff) != 0x7ff;
}

/* Address of an element, or of a zero if the nest does not use it; `array` may be NULL. */
static inline STENCIL_UNUSED const void *stencil_used_element(const stencil_array *array, const long long *cell)
{
    static const char zero[STENCIL_MAX_ELEMENT];
    long long lo, hi;
    int d;

    for (d = 0; array && d < array->rank; d++)
        if (cell[d] < array->used.lo[d] || cell[d] > array->used.hi[d])
            return zero;
    if (array && array->row &&
        (!array->row(cell, &lo, &hi, array->context) || cell[array->rank - 1] < lo || cell[array->rank - 1] > hi))
        return zero;
    return array ? stencil_element(array, cell) : zero;
}

/* How often a loop from `first` to before `end` (`inclusive`: to `end`) by `step` > 0 runs. */
static inline STENCIL_UNUSED long long stencil_iterations(long long first, long long end, long long step, int inclusive)
{
    const long long span = end - first + inclusive;

    return span <= 0 ? 0 : (span - 1) / step + 1;
}

/* The elements of an array with so many in one dimension and in the others; LLONG_MAX if they are too many. */
static inline STENCIL_UNUSED long long stencil_elements(long long count, long long others)
{
    return count > 0 && others > LLONG_MAX / count ? LLONG_MAX : count * others;
}

/* Notes what the nest leaves in a variable. Whoever asks for the same variable again replaces the value. */
static inline STENCIL_UNUSED void stencil_leave(stencil_call *call, stencil_kind kind, const char *name, void *variable,
                                                const void *value, size_t size)
{
    int i = 0;

    while (i < call->left_count && call->left[i].variable != variable)
        i++;
    if (i == call->left_count)
        call->left_count++;
    call->left[i].name = name;
    call->left[i].variable = variable;
    call->left[i].size = size;
    call->left[i].kind = kind;
    memcpy(call->left[i].value, value, size);
}

/* Gives all of them their values. */
static inline STENCIL_UNUSED void stencil_leave_variables(const stencil_call *call)
{
    for (int i = 0; i < call->left_count; i++)
        memcpy(call->left[i].variable, call->left[i].value, call->left[i].size);
}
