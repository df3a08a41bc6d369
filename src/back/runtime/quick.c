/* What a call looks at first. Small calls may be very many, so users' files have this inline, in the header: there macros may
   have any short name, hence the long ones. */
#ifndef STENCIL_QUICK
#define STENCIL_QUICK

#if defined(__GNUC__) || defined(__clang__)
#define STENCIL_QUICKLY static __inline__ __attribute__((unused))
#define STENCIL_USUALLY(condition) __builtin_expect(condition, 1)
#else
#define STENCIL_QUICKLY static inline
#define STENCIL_USUALLY(condition) (condition)
#endif

/* What answers is a call for clang: it puts a function of the user in place of its calls, and so learns of its arrays, only if
   that is short. */
#if defined(__clang__)
#define STENCIL_ANSWERING static __attribute__((__noinline__, __unused__))
#else
#define STENCIL_ANSWERING STENCIL_QUICKLY
#endif

/* Numbers that sizes of a nest are kept for. */
#define STENCIL_SIZES 4

typedef struct {
    const void *stencil_asked;    /* the frame of the small call that has asked for its loops; the state itself while others run,
                                     which somebody watches; NULL if none do */
    const void *stencil_frame;    /* of the call that is watched; a call of another one begins anew */
    double stencil_small;         /* calls of fewer updates are not worth the device */
    int stencil_rest;             /* small calls until one is looked at again */
    long stencil_sizes[STENCIL_SIZES]; /* of such a call: most calls are as large as the last one */
} stencil_quick;

/* How often a loop over numbers runs, about. */
STENCIL_QUICKLY double stencil_count(double stencil_first, double stencil_end, double stencil_step, int stencil_inclusive)
{
    const double stencil_span = stencil_end - stencil_first + stencil_inclusive;

    return stencil_span > 0 ? stencil_span / stencil_step : 0;
}

STENCIL_QUICKLY double stencil_larger(double stencil_a, double stencil_b)
{
    return stencil_a > stencil_b ? stencil_a : stencil_b;
}

/* Two answers without a look at anything else: loops that nobody watches have run ... */
STENCIL_QUICKLY int stencil_has_just_run(stencil_quick *stencil_state, const void *stencil_frame)
{
    if (stencil_state->stencil_asked != stencil_frame)
        return 0;
    stencil_state->stencil_asked = (const void *)0;
    return 1;
}

/* Whether a call is small. `stencil_updates` is how many cells the nest computes in all steps, about; negative if that is
   not known. */
STENCIL_QUICKLY int stencil_fits(const stencil_quick *stencil_state, double stencil_updates)
{
    return stencil_updates >= 0 && stencil_updates < stencil_state->stencil_small;
}

/* Whether a size is what it was when a call last fitted. */
STENCIL_QUICKLY int stencil_is_kept(const stencil_quick *stencil_state, int stencil_place, long stencil_size)
{
    return stencil_state->stencil_sizes[stencil_place] == stencil_size;
}

STENCIL_QUICKLY int stencil_keep(stencil_quick *stencil_state, int stencil_place, long stencil_size)
{
    stencil_state->stencil_sizes[stencil_place] = stencil_size;
    return 1;
}

/* ... or they must run, as the call is small. */
STENCIL_QUICKLY int stencil_is_small(stencil_quick *stencil_state, int stencil_has_fitted, const void *stencil_frame)
{
    if (!stencil_has_fitted || stencil_state->stencil_asked || stencil_state->stencil_rest <= 0)
        return 0;
    stencil_state->stencil_rest--;
    stencil_state->stencil_asked = stencil_frame;
    return 1;
}

#endif
