// A step of a loop that the host keeps sets the number of OpenMP's threads, which the host looks at.
// form: loops that the host keeps: omp_set_num_threads(2 + step % 3);
// cflags: -fopenmp
// args: 37 9 ; 20 4 ; 16 0
#include <omp.h>
#include "dump.h"

static void relax(int n, int step, double *to, const double *from)
{
    omp_set_num_threads(2 + step % 3);
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        to[i] = 0.5 * from[i] + 0.25 * (from[i - 1] + from[i + 1]);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 9), set[64] = { 0 };
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        relax(n, t, b, a);
        relax(n, t + 1, a, b);
        set[t] = omp_get_max_threads();
    }
    for (int t = 0; t < steps; t++)
        printf("%d\n", set[t]);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
