// A function that sweeps sets the number of OpenMP's threads under a condition: what it does is written in the place of its calls.
// form: loops that the host keeps: if (n > 20)
// cflags: -fopenmp
// args: 37 9 ; 20 4 ; 16 0
#include <omp.h>
#include "dump.h"

static void relax(int n, int threads, double *to, const double *from)
{
    if (n > 20)
        omp_set_num_threads(threads);
    for (int i = 1; i < n - 1; i++)
        to[i] = 0.5 * from[i] + 0.25 * (from[i - 1] + from[i + 1]);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 9);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    omp_set_num_threads(2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        relax(n, 3, b, a);
        relax(n, 4, a, b);
    }
    printf("%d\n", omp_get_max_threads());
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
