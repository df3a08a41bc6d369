// Functions of the step set the number of OpenMP's threads, in each step, and one of them in each row: what is set last remains.
// form: calls: omp_set_num_threads(threads);
// cflags: -fopenmp
// args: 37 9 ; 20 4 ; 16 0
#include <omp.h>
#include "dump.h"

static int threads = 2;

static void sweep(int n, double *to, const double *from)
{
    omp_set_num_threads(threads);
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        to[i] = 0.5 * from[i] + 0.25 * (from[i - 1] + from[i + 1]);
}

static void scale(int n, int step, double *to, const double *from)
{
    for (int i = 0; i < n; i++) {
        omp_set_num_threads(step % 3 + i);
        to[i] = 0.5 * from[i];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 9), set;
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(n, b, a);
        sweep(n, a, b);
    }
    set = omp_get_max_threads();
    printf("%d\n", set);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        scale(n, t, b, a);
        scale(n, 2 * t, a, b);
    }
    set = omp_get_max_threads();
    printf("%d\n", set);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
