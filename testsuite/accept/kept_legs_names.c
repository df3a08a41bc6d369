// Between sweeps the host's loops have variables that functions with the sweeps call their own by the same names.
// args: 19 11 5 ; 8 9 1 ; 6 4 0 ; 21 12 14
// form: loops that the host keeps: for (i = 0; i < n; i++) for (k = 0; k < m; k++) { sum += a[i * m + k]; printf("%g\n", sum); }
#include "dump.h"

static void sweep(double *a, const double *b, int n, int m)
{
    int i, k;
    for (i = 1; i < n - 1; i++)
        for (k = 1; k < m - 1; k++)
            a[i * m + k] = 0.25 * (b[(i - 1) * m + k] + b[(i + 1) * m + k] + b[i * m + k - 1] + b[i * m + k + 1]);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), m = argument(argc, argv, 2, 11), steps = argument(argc, argv, 3, 5), i, k;
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2), sum = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(a, b, n, m);
        for (i = 0; i < n; i++) for (k = 0; k < m; k++) { sum += a[i * m + k]; printf("%g\n", sum); }
        sweep(b, a, n, m);
    }
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
