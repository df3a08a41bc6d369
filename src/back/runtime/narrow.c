/* From parts of memory to boxes of arrays that have all their elements in them. */

/* The bytes of an array's elements relative to that of cell 0, for a box. */
typedef struct {
    long long first, last;
} stencil_reach;

/* What the dimensions but one reach. */
static stencil_reach stencil_reach_beside(const stencil_array *array, const stencil_box *box, int dimension)
{
    long long size = (long long)array->element_size;
    stencil_reach reach = {0, size - 1};
    for (int d = 0; d < array->rank; d++) {
        long long stride = array->stride[d] * size;
        if (d == dimension)
            continue;
        reach.first += stride * (stride < 0 ? box->hi[d] : box->lo[d]);
        reach.last += stride * (stride < 0 ? box->lo[d] : box->hi[d]);
    }
    return reach;
}

/* Narrows one dimension of a box to what may have bytes from `first` to `last`. */
static void stencil_narrow_dimension(const stencil_array *array, stencil_box *box, int d, long long first, long long last)
{
    long long stride = array->stride[d] * (long long)array->element_size, lo, hi;
    stencil_reach beside = stencil_reach_beside(array, box, d);
    /* first <= x * stride + beside.last and x * stride + beside.first <= last */
    lo = first - beside.last;
    hi = last - beside.first;
    if (stride == 0)
        return;
    if (stride < 0) {
        long long swapped = -hi;
        hi = -lo;
        lo = swapped;
        stride = -stride;
    }
    lo = -stencil_floor_quotient(-lo, stride);
    hi = stencil_floor_quotient(hi, stride);
    box->lo[d] = box->lo[d] > lo ? box->lo[d] : lo;
    box->hi[d] = box->hi[d] < hi ? box->hi[d] : hi;
}

/* Narrows a box of an array in one block to a box of all its elements with bytes from `from` to `to`, or to an empty one. Where
   the outer dimensions have become one cell, the inner ones are narrowed in the next round. */
static void stencil_narrow_plain(const stencil_array *array, stencil_box *box, const char *from, const char *to)
{
    long long base = (long long)(size_t)array->base;
    long long first = (long long)(size_t)from - base, last = (long long)(size_t)to - 1 - base;
    for (int round = 0; round < array->rank; round++)
        for (int d = 0; d < array->rank; d++) {
            if (stencil_is_empty(array->rank, box))
                return;
            stencil_narrow_dimension(array, box, d, first, last);
        }
}

/* Of memory from `from` on only so many bytes are wanted at each of some distances: narrows a box to what may have some of them.
   A dimension whose neighbours are whole distances apart changes nothing in that, and the others reach one of these pieces or several;
   in the latter case they stay as they are. */
static void stencil_narrow_pieces(stencil_array array, stencil_box *box, const char *from, size_t stride, size_t length)
{
    long long distance = (long long)stride, bytes = (long long)length, begin, piece;
    stencil_reach reach;
    if (length == 0 || length > stride || stride > (size_t)1 << 60 || stencil_is_empty(array.rank, box))
        return;
    for (int d = 0; d < array.rank; d++)
        if (array.stride[d] * (long long)array.element_size % distance == 0)
            array.stride[d] = 0;
    reach = stencil_reach_beside(&array, box, -1);
    begin = (long long)(size_t)from - (long long)(size_t)array.base;
    piece = stencil_floor_quotient(reach.last - begin, distance);
    begin += piece * distance;
    if (begin + bytes <= reach.first) {
        *box = stencil_empty_box();
    } else if (begin - distance + bytes <= reach.first) {
        for (int round = 0; round < array.rank; round++)
            for (int d = 0; d < array.rank && !stencil_is_empty(array.rank, box); d++)
                stencil_narrow_dimension(&array, box, d, begin, begin + bytes - 1);
    }
}

/* The first and the last byte of a row. */
static void stencil_ends_of_row(const stencil_array *array, const stencil_row *row, size_t *first, size_t *last)
{
    long long stride = array->stride[array->rank - 1] * (long long)array->element_size;
    size_t begin = (size_t)stencil_element(array, row->cell), end = begin + (size_t)((row->length - 1) * stride);
    *first = begin < end ? begin : end;
    *last = (begin < end ? end : begin) + array->element_size - 1;
}

/* The elements of a row, as a box, that have bytes from `from` to `to`, of which the row has some. */
static stencil_box stencil_part_of_row(const stencil_array *array, const stencil_row *row, const char *from, const char *to)
{
    int inner = array->rank - 1;
    long long stride = array->stride[inner] * (long long)array->element_size, begin = 0, end = row->length - 1;
    long long first = (long long)((size_t)from - (size_t)stencil_element(array, row->cell)), last = first + (to - from) - 1;
    stencil_box part;
    memcpy(part.lo, row->cell, sizeof part.lo);
    memcpy(part.hi, row->cell, sizeof part.hi);
    if (stride > 0) {
        begin = first > 0 ? stencil_floor_quotient(first, stride) : 0;
        end = stencil_floor_quotient(last, stride) < end ? stencil_floor_quotient(last, stride) : end;
    }
    part.lo[inner] += begin;
    part.hi[inner] += end;
    return part;
}

/* The same for an array behind tables of pointers: what is found of each row. */
static void stencil_narrow_rows(const stencil_array *array, stencil_box *box, const char *from, const char *to)
{
    stencil_box found = stencil_empty_box();
    stencil_row row;
    for (int more = stencil_first_array_row(&row, array, box); more; more = stencil_next_row(&row)) {
        size_t first, last;
        stencil_ends_of_row(array, &row, &first, &last);
        if (first < (size_t)to && last >= (size_t)from)
            found = stencil_hull(found, stencil_part_of_row(array, &row, from, to), array->rank);
    }
    *box = found;
}

/* The array whose table of rows has all pointers that are wanted; null if there is none. */
static const stencil_array *stencil_wanted_table(const stencil_recording *recording, const stencil_call *call)
{
    for (int i = 0; i < call->array_count; i++) {
        const stencil_array *array = &recording->arrays[i];
        const char *table = array->base;
        if (array->is_behind_pointer || array->rank != 2 || !array->is_pointer[0] || stencil_is_empty(2, &array->used))
            continue;
        if (table + array->used.lo[0] * (long long)sizeof table <= recording->from &&
            recording->to <= table + (array->used.hi[0] + 1) * (long long)sizeof table)
            return array;
    }
    return NULL;
}

/* Whether a nest uses all that is wanted of a row of its table: then no other array has it. */
static int stencil_owns_row(const stencil_recording *recording, const stencil_array *table, long long number, const char *row)
{
    stencil_box used = table->used;
    stencil_row cells;
    size_t first, last;
    used.lo[0] = used.hi[0] = number;
    if (!stencil_first_array_row(&cells, table, &used))
        return 0;
    stencil_ends_of_row(table, &cells, &first, &last);
    return (size_t)row + (size_t)recording->first >= first && (size_t)row + (size_t)recording->end - 1 <= last;
}

/* Rows at most that are looked for in all arrays. */
static const int stencil_most_foreign_rows = 64;

/* Narrows a box of an array to what is wanted of rows behind pointers. It stays as it is where that may be anything. */
static void stencil_narrow_behind(const stencil_recording *recording, const stencil_call *call, const stencil_array *array,
                                  stencil_box *box)
{
    const stencil_array *table = stencil_wanted_table(recording, call);
    long long size = (long long)sizeof(void *), number, end;
    int foreign = 0;
    stencil_box found = stencil_empty_box();
    if (!table || call->alias_count > 0 || recording->end <= recording->first)
        return;
    number = (recording->from - (const char *)table->base) / size;
    end = (recording->to - (const char *)table->base + size - 1) / size;
    for (; number < end; number++) {
        const char *row = stencil_followed(table->base, number);
        int is_own = stencil_owns_row(recording, table, number, row), is_here = array->base == table->base && array->is_pointer[0];
        stencil_box part = *box;
        foreign += !is_own;
        if (foreign > stencil_most_foreign_rows)
            return;
        if (is_own && !is_here)
            continue;
        if (is_own && (part.lo[0] > number || part.hi[0] < number))
            continue;
        if (is_own)
            part.lo[0] = part.hi[0] = number;
        if (stencil_is_plain(array))
            stencil_narrow_plain(array, &part, row + recording->first, row + recording->end);
        else
            stencil_narrow_rows(array, &part, row + recording->first, row + recording->end);
        found = stencil_hull(found, part, array->rank);
    }
    *box = found;
}

/* Narrows a box of an array to what is wanted of it. */
static void stencil_narrow(const stencil_recording *recording, const stencil_call *call, const stencil_array *array,
                           stencil_box *box)
{
    if (recording->is_behind)
        stencil_narrow_behind(recording, call, array, box);
    else if (stencil_is_plain(array)) {
        stencil_narrow_plain(array, box, recording->from, recording->to);
        stencil_narrow_pieces(*array, box, recording->from, recording->stride, recording->length);
    } else {
        stencil_narrow_rows(array, box, recording->from, recording->to);
    }
}
