// OpenMP's pragmas directly above the nest and its pragma, below it, on both sides and in conditionals: they stay on their loop.
// args: 37 5
// cflags: -fopenmp
#include <omp.h>
#include "dump.h"

static void sweep(int n, double *restrict b, const double *restrict a)
{
    int i;
#pragma omp parallel for
#pragma stencil
    for (i = 1; i < n - 1; i++)
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
}

static void copies(int n, double *restrict b, double *restrict a)
{
#ifdef _OPENMP
#pragma omp parallel for default(none) \
    shared(n, a, b)
#else
    #pragma GCC ivdep
#endif
    /* the sweep back */
    #pragma stencil strategy(direct) // both ways
    for (int i = 1; i < n - 1; i++)
        a[i] = b[i];
    if (n > 3)
#pragma omp parallel
#pragma stencil
#pragma omp for
        for (int i = 2; i < n - 2; i++)
            b[i] = a[i] - 0.25 * a[i - 2]; // and further
    else
        b[0] = 1;
}

// Other code stands in the conditional before the pragma.
static void halves(int n, double *restrict b, const double *restrict a)
{
#ifdef _OPENMP
    omp_set_num_threads(2);
#pragma omp parallel for
#endif
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        b[i] = 0.5 * a[i];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    for (int t = 0; t < steps; t++) {
        sweep(n, b, a);
        copies(n, b, a);
        halves(n, b, a);
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
