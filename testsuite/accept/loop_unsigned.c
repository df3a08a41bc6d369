// Unsigned loop variables and bounds.
// args: 17 9 5 ; 8 31 3 ; 3 3 1
#include "dump.h"

int main(int argc, char **argv)
{
    unsigned n = (unsigned)argument(argc, argv, 1, 17), m = (unsigned)argument(argc, argv, 2, 9);
    unsigned steps = (unsigned)argument(argc, argv, 3, 5);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    unsigned t = 0, i = 0, j = 0;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                b[i * m + j] = 0.25 * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j]
                                       + a[(i + 1) * m + j]);
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j];
    }
    printf("t = %u, i = %u, j = %u\n", t, i, j);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
