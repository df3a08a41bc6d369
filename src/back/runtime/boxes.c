/* Boxes and cells, for the runtime and for drivers. */

static inline STENCIL_UNUSED int stencil_is_empty(int rank, const stencil_box *box)
{
    for (int d = 0; d < rank; d++)
        if (box->lo[d] > box->hi[d])
            return 1;
    return 0;
}

/* A box of rows of a history as one of cells, and the other way round. */
static inline STENCIL_UNUSED stencil_box stencil_without_rows(stencil_box box)
{
    memmove(box.lo, box.lo + 1, sizeof box.lo - sizeof box.lo[0]);
    memmove(box.hi, box.hi + 1, sizeof box.hi - sizeof box.hi[0]);
    return box;
}

static inline STENCIL_UNUSED stencil_box stencil_with_rows(stencil_box box, long long first, long long last)
{
    memmove(box.lo + 1, box.lo, sizeof box.lo - sizeof box.lo[0]);
    memmove(box.hi + 1, box.hi, sizeof box.hi - sizeof box.hi[0]);
    box.lo[0] = first;
    box.hi[0] = last;
    return box;
}

/* Offset in elements of a cell; for boxes that `stencil_span` has found free of overflow. */
static inline STENCIL_UNUSED long long stencil_offset(int rank, const long long *stride, const long long *cell)
{
    long long offset = 0;
    for (int d = 0; d < rank; d++)
        offset += cell[d] * stride[d];
    return offset;
}

/* Number of the leading dimensions of an array that tables of pointers have. */
static inline STENCIL_UNUSED int stencil_table_rank(const stencil_array *array)
{
    int rank = array->rank;
    while (rank > 0 && !array->is_pointer[rank - 1])
        rank--;
    return rank;
}

/* Whether the elements of an array are where `base` and its strides say, in one block of memory. */
static inline STENCIL_UNUSED int stencil_is_plain(const stencil_array *array)
{
    return !array->is_behind_pointer && stencil_table_rank(array) == 0;
}

/* The pointer that is number `index` of a table. */
static inline STENCIL_UNUSED char *stencil_followed(const void *table, long long index)
{
    char *pointer;
    memcpy(&pointer, (const char *)table + index * (long long)sizeof pointer, sizeof pointer);
    return pointer;
}

/* Where the last block of memory begins that has a cell of an array, behind the tables of pointers. */
static inline STENCIL_UNUSED char *stencil_block(const stencil_array *array, int table_rank, const long long *cell)
{
    char *block = array->is_behind_pointer ? stencil_followed(array->base, 0) : (char *)array->base;
    long long index = 0;
    for (int d = 0; d < table_rank; d++) {
        index += cell[d] * array->stride[d];
        if (array->is_pointer[d]) {
            block = stencil_followed(block, index);
            index = 0;
        }
    }
    return block;
}

/* Address of a cell of an array. */
static inline STENCIL_UNUSED char *stencil_element(const stencil_array *array, const long long *cell)
{
    int outer = stencil_table_rank(array);
    return stencil_block(array, outer, cell) + stencil_offset(array->rank - outer, array->stride + outer, cell + outer) *
                                                   (long long)array->element_size;
}
