// A function whose loops the threads share that call it: what they bring is compared where they call, and only if it is the same
// the device is asked. A nest that a team shares is itself one loop.
// flags: -fopenmp
// args: 37 5 ; 20 0
// fallback: allowed
#include <omp.h>
#include "dump.h"

static void smooth(int n, double w, double *x, double *y, int steps)
{
    int t, i;
#pragma stencil
    for (t = 0; t < steps; t++) {
#pragma omp for
        for (i = 1; i < n - 1; i++)
            y[i] = w * (x[i - 1] + x[i + 1]);
#pragma omp for
        for (i = 1; i < n - 1; i++)
            x[i] = y[i];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5), i;
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma omp parallel num_threads(3)
    {
        smooth(n, 0.5 + 0.01 * omp_get_thread_num(), a, b, steps);
#pragma omp barrier
        smooth(n, 0.5, a, b, steps + 1);
#pragma omp for
#pragma stencil
        for (i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + 0.5 * a[i + 1];
    }
    smooth(n, 0.25, b, a, steps + 2);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
