// A function that sweeps sets the number of threads first, for a large grid alone.
#include <omp.h>

static void sweep(int n, int threads, double *to, const double *from)
{
    if (n > 1000)
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

// remedy: s/    if (n > 1000)\n        omp_set_num_threads(threads);\n//
// remedy: s/#pragma/    omp_set_num_threads(n > 1000 ? threads : 1);\n#pragma/
