/* Runs the tests that the arguments name; the exit code is 2 if one fails. */

#include "check.h"

#include <stdio.h>
#include <string.h>

void fill(double *values, long long count, unsigned seed)
{
    for (long long i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (double)(seed >> 20) / 2.0;
    }
}

int expect(const char *test, int holds)
{
    if (!holds)
        printf("FAILED: %s\n", test);
    return !holds;
}

int expect_same(const char *test, const void *expected, const void *got, size_t bytes)
{
    return expect(test, memcmp(expected, got, bytes) == 0);
}

static const struct {
    const char *name;
    int (*run)(void);
} tests[] = {
    {"jacobi", test_jacobi},   {"fdtd", test_fdtd},          {"wave", test_wave},   {"failures", test_failures},
    {"refused", test_refused}, {"wrong", test_wrong_kernel}, {"fatal", test_fatal},  {"faults", test_faults},
    {"cache", test_cache},     {"barriers", test_barriers},  {"layout", test_layout},
    {"differences", test_differences}, {"unasked", test_unasked}, {"turns", test_turns}, {"cost", test_cost},
    {"session", test_session}, {"climb", test_climb},        {"rows", test_rows},
    {"lacking", test_lacking}, {"ending", test_ending},      {"leaving", test_leaving}, {"part", test_part},
};

int main(int argc, char **argv)
{
    int failures = 0, known = 0;
    for (int i = 1; i < argc; i++)
        for (size_t t = 0; t < sizeof tests / sizeof *tests; t++)
            if (strcmp(argv[i], tests[t].name) == 0) {
                failures += tests[t].run();
                known++;
            }
    return failures > 0 || known != argc - 1 ? 2 : 0;
}
