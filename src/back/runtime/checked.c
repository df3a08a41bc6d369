/* Integer arithmetic that reports overflow, and the sizes of boxes. Each function returns 1, or 0 on overflow. */

static int stencil_add(long long a, long long b, long long *sum)
{
    if (b > 0 ? a > LLONG_MAX - b : a < LLONG_MIN - b)
        return 0;
    *sum = a + b;
    return 1;
}

static int stencil_subtract(long long a, long long b, long long *difference)
{
    if (b > 0 ? a < LLONG_MIN + b : a > LLONG_MAX + b)
        return 0;
    *difference = a - b;
    return 1;
}

static int stencil_multiply(long long a, long long b, long long *product)
{
    if (b < 0) {
        if (a == LLONG_MIN || b == LLONG_MIN)
            return 0;
        a = -a;
        b = -b;
    }
    if (b != 0 && (a > LLONG_MAX / b || a < LLONG_MIN / b))
        return 0;
    *product = a * b;
    return 1;
}

/* Rounds `a` >= 0 up to a multiple of `unit` > 0. */
static int stencil_round_up(long long a, long long unit, long long *rounded)
{
    long long above;
    if (!stencil_add(a, unit - 1, &above))
        return 0;
    *rounded = above - above % unit;
    return 1;
}

/* Number of elements from `lo` to `hi`, both included; 0 if there are none. */
static int stencil_extent(long long lo, long long hi, long long *extent)
{
    if (lo > hi) {
        *extent = 0;
        return 1;
    }
    return stencil_subtract(hi, lo, extent) && stencil_add(*extent, 1, extent);
}

/* The cells that are in both boxes. */
static stencil_box stencil_intersect(int rank, const stencil_box *a, const stencil_box *b)
{
    stencil_box both = *a;
    for (int d = 0; d < rank; d++) {
        both.lo[d] = a->lo[d] > b->lo[d] ? a->lo[d] : b->lo[d];
        both.hi[d] = a->hi[d] < b->hi[d] ? a->hi[d] : b->hi[d];
    }
    return both;
}

static int stencil_is_inside(int rank, const stencil_box *inner, const stencil_box *outer)
{
    for (int d = 0; d < rank; d++)
        if (inner->lo[d] < outer->lo[d] || inner->hi[d] > outer->hi[d])
            return 0;
    return 1;
}

/* Offsets in elements, from element (0, ..., 0), of the first and the last element in memory of a box that is not
   empty. */
static int stencil_span(int rank, const long long *stride, const stencil_box *box, long long *first, long long *last)
{
    *first = *last = 0;
    for (int d = 0; d < rank; d++) {
        long long low, high;
        if (!stencil_multiply(stride[d] < 0 ? box->hi[d] : box->lo[d], stride[d], &low) ||
            !stencil_multiply(stride[d] < 0 ? box->lo[d] : box->hi[d], stride[d], &high) ||
            !stencil_add(*first, low, first) || !stencil_add(*last, high, last))
            return 0;
    }
    return 1;
}
