// A function that sweeps sets the number of threads first.
#include <omp.h>

static void sweep(int n, int threads, double *to, const double *from)
{
    omp_set_num_threads(threads);
    for (int i = 1; i < n - 1; i++)
        to[i] = 0.5 * (from[i - 1] + from[i + 1]);
}

void relax(int n, int steps, int threads, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(n, threads, b, a);
        sweep(n, threads, a, b);
    }
}

// remedy: s/    omp_set_num_threads(threads);\n//
// remedy: s/#pragma/    omp_set_num_threads(threads);\n#pragma/
