// Qualifiers and GNU spellings on parameters: const, restrict, __restrict__, register, __attribute__.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

static __attribute__((noinline)) void smooth(double *__restrict__ const a, register double *restrict b,
                                             const double *const c, const int n, int const m,
                                             const unsigned short steps)
{
#pragma stencil
    for (register int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = c[i * m + j] * (a[i * m + j - 1] + a[(i + 1) * m + j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    size_t size = (size_t)n * m;
    double *a = new_double(size, 1), *b = new_double(size, 2), *c = new_double(size, 3);
    smooth(a, b, c, n, m, (unsigned short)steps);
    show_double("a", a, size);
    show_double("b", b, size);
    return 0;
}
