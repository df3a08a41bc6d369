// Each thread has its own part of the grid, and waits for the others at barriers: the driver sees that their bounds differ.
// flags: -fopenmp
// args: 37 5 ; 20 3
// fallback: expected
#include <omp.h>
#include "dump.h"

static void part(int from, int to, double *b, const double *a)
{
    int i;
    for (i = from; i < to; i++)
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
#pragma omp barrier
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma omp parallel num_threads(3)
    {
        int id = omp_get_thread_num(), share = n / 3, t;
        int from = 1 + id * share, to = id == 2 ? n - 1 : from + share;
#pragma stencil
        for (t = 0; t < steps; t++) {
            part(from, to, b, a);
            part(from, to, a, b);
        }
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
