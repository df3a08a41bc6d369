/* Whether the integers of a call are those that C computes in the original nest. The driver lists steps of a computation with
   intervals, each about the values of an expression in all iterations; intervals that are empty belong to loops that run
   no iteration. */

#define STENCIL_MODERATE (1LL << 46) /* sums and products of the driver with such integers do not overflow */
#define STENCIL_FAR (LLONG_MAX / 4)

static long long stencil_cut(long long value)
{
    return value > STENCIL_FAR ? STENCIL_FAR : value < -STENCIL_FAR ? -STENCIL_FAR : value;
}

static long long stencil_cut_product(long long a, long long b)
{
    long long product;
    if (stencil_multiply(a, b, &product))
        return stencil_cut(product);
    return (a < 0) == (b < 0) ? STENCIL_FAR : -STENCIL_FAR;
}

static stencil_interval stencil_products(stencil_interval a, stencil_interval b)
{
    const long long ends[] = { stencil_cut_product(a.lo, b.lo), stencil_cut_product(a.lo, b.hi),
                               stencil_cut_product(a.hi, b.lo), stencil_cut_product(a.hi, b.hi) };
    stencil_interval products = { ends[0], ends[0] };
    for (int i = 1; i < 4; i++) {
        products.lo = ends[i] < products.lo ? ends[i] : products.lo;
        products.hi = ends[i] > products.hi ? ends[i] : products.hi;
    }
    return products;
}

/* The values of one step; `a` and `b` are those of the steps that it refers to. */
static stencil_interval stencil_step_values(const stencil_range_step *step, stencil_interval a, stencil_interval b)
{
    stencil_interval values = a;
    switch (step->kind) {
    case STENCIL_RANGE_VALUE:
        values.lo = values.hi = stencil_cut(step->value);
        break;
    case STENCIL_RANGE_SUM:
        values.lo = stencil_cut(a.lo + b.lo);
        values.hi = stencil_cut(a.hi + b.hi);
        break;
    case STENCIL_RANGE_DIFFERENCE:
        values.lo = stencil_cut(a.lo - b.hi);
        values.hi = stencil_cut(a.hi - b.lo);
        break;
    case STENCIL_RANGE_PRODUCT:
        values = stencil_products(a, b);
        break;
    case STENCIL_RANGE_QUOTIENT: /* `value` is the divisor, which is positive */
        values.lo = a.lo / step->value;
        values.hi = a.hi / step->value;
        break;
    case STENCIL_RANGE_REMAINDER:
        values.lo = a.lo < 0 ? 1 - step->value : 0;
        values.hi = step->value - 1;
        break;
    case STENCIL_RANGE_FROM: /* at least `a` and at most `b` */
        values.hi = b.hi;
        break;
    case STENCIL_RANGE_AT_LEAST:
        values.lo = b.lo > a.lo ? b.lo : a.lo;
        break;
    case STENCIL_RANGE_AT_MOST:
        values.hi = b.hi < a.hi ? b.hi : a.hi;
        break;
    case STENCIL_RANGE_WITHOUT:
        if (b.lo == b.hi) {
            values.lo += a.lo == b.lo;
            values.hi -= a.hi == b.lo;
        }
        break;
    }
    return values;
}

/* Whether all values of the checked steps are where they must be. An interval without values makes all that is computed
   from it hold. */
static int stencil_ranges_hold(const stencil_range_check *check)
{
    stencil_interval *values = check->values;
    for (int i = 0; i < check->step_count; i++) {
        const stencil_range_step *step = &check->steps[i];
        values[i] = stencil_step_values(step, values[step->a], values[step->b]);
        if (values[i].lo > values[i].hi)
            return 1;
    }
    return values[check->step_count - 1].lo >= check->least && values[check->step_count - 1].hi <= check->greatest;
}

/* Whether the driver can compute with the call's integers. */
static int stencil_is_moderate(const stencil_call *call)
{
    for (int i = 0; i < call->integer_count; i++)
        if (call->integers[i] < -STENCIL_MODERATE || call->integers[i] > STENCIL_MODERATE)
            return 0;
    return 1;
}

/* The first check that fails; null: none. */
static const stencil_range_check *stencil_failing_check(const stencil_call *call)
{
    for (int i = 0; i < call->range_check_count; i++)
        if (!stencil_ranges_hold(&call->range_checks[i]))
            return &call->range_checks[i];
    return NULL;
}

static STENCIL_UNUSED int stencil_ranges_are_right(const stencil_call *call)
{
    return !stencil_failing_check(call);
}

static int stencil_check_integers(const stencil_call *call, stencil_failure *failure)
{
    const stencil_range_check *failing;
    if (!stencil_is_moderate(call))
        return stencil_fail(failure, "an integer that bounds or subscripts need is too large");
    if (call->differing)
        return stencil_fail(failure, "the threads of a team bring different values of %s", call->differing);
    if (call->index_array)
        return stencil_fail(failure, "%s does not hold what it is declared with, or what the code that fills it stores", call->index_array);
    if (call->lacking)
        return stencil_fail(failure, "what is used under conditions alone of %s may not exist for these sizes", call->lacking);
    failing = stencil_failing_check(call);
    if (failing && failing->is_source)
        return stencil_fail(failure, "an element that steps store alone is none that the loop before it stores");
    if (failing && failing->is_length)
        return stencil_fail(failure, "a loop at each point has more iterations than its kernels have written out");
    return !failing ||
           stencil_fail(failure, "an integer of the nest wraps around in C, a number holds what the nest is not made for, or the "
                                 "program ends in it, or one of these may be so");
}
