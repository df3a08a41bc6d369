// Loop headers and whole sweeps come from macros, one of several lines.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

#define FOR(v, lo, hi) for (int v = (lo); v < (hi); v++)
#define INTERIOR FOR(i, 1, n - 1) FOR(j, 1, m - 1)
#define COPY(dst, src)                    \
    do_rows                               \
        for (int j = 1; j < m - 1; j++)   \
            dst[i * m + j] = src[i * m + j];
#define do_rows for (int i = 1; i < n - 1; i++)

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
#pragma stencil
    FOR(t, 0, steps) {
        INTERIOR b[i * m + j] = 0.5 * (a[i * m + j - 1] + a[(i + 1) * m + j]);
        COPY(a, b)
    }
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
