/* Boxes and cells, for the runtime and for drivers. */

static inline STENCIL_UNUSED int stencil_is_empty(int rank, const stencil_box *box)
{
    for (int d = 0; d < rank; d++)
        if (box->lo[d] > box->hi[d])
            return 1;
    return 0;
}

/* Offset in elements of a cell; for boxes that `stencil_span` has found free of overflow. */
static inline STENCIL_UNUSED long long stencil_offset(int rank, const long long *stride, const long long *cell)
{
    long long offset = 0;
    for (int d = 0; d < rank; d++)
        offset += cell[d] * stride[d];
    return offset;
}

/* Address of a cell of an array whose element (0, ..., 0) is at `base`. */
static inline STENCIL_UNUSED char *stencil_element(const stencil_array *array, void *base, const long long *cell)
{
    return (char *)base + stencil_offset(array->rank, array->stride, cell) * (long long)array->element_size;
}
