/* What the test programs share. Each file that includes `runtime.h` beside it is one driver with the runtime in it. */

#include <stddef.h>

/* Small multiples of one half, different for each seed. */
void fill(double *values, long long count, unsigned seed);

/* Number of failures, 0 or 1: whether both are the same bit for bit. */
int expect_same(const char *test, const void *expected, const void *got, size_t bytes);

/* Number of failures, 0 or 1. */
int expect(const char *test, int holds);

int test_jacobi(void);
int test_fdtd(void);
int test_wave(void);
int test_failures(void);
int test_faults(void);
int test_refused(void);
int test_wrong_kernel(void);
int test_fatal(void);
int test_cache(void);
int test_barriers(void);
int test_layout(void);
int test_differences(void);
int test_unasked(void);
int test_turns(void);
int test_cost(void);
int test_session(void);
int test_climb(void);
int test_rows(void);
int test_lacking(void);
int test_ending(void);
int test_leaving(void);
int test_part(void);
