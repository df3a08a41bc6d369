// One element of a flat array whose other reads move by two rows at a time: rows do not hold it, the array does.
// args: 8 10 3 ; 5 6 2
#include "dump.h"

static void advance(long n, long m, int steps, const double *restrict coarse, double *restrict u, double *restrict v)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                v[i * m + j] = u[i * m + j - 1] * coarse[(2 * i - 1) * (2 * m) + 2 * j - 1]
                               + coarse[(n - 1) * (2 * m) + m - 1] * u[(i - 1) * m + j] + coarse[3];
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                u[i * m + j] = v[i * m + j];
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1, 9), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    size_t needed = (size_t)((2 * n - 4) * (2 * m));
    double *coarse = malloc(needed * sizeof *coarse);
    double *u = malloc((size_t)(n * m) * sizeof *u), *v = malloc((size_t)(n * m) * sizeof *v);

    fill_double(coarse, needed, 1);
    fill_double(u, (size_t)(n * m), 2);
    fill_double(v, (size_t)(n * m), 3);
    advance(n, m, steps, coarse, u, v);
    show_double("u", u, (size_t)(n * m));
    show_double("v", v, (size_t)(n * m));
    free(coarse);
    free(u);
    free(v);
    return 0;
}
