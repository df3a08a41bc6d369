/* The memory roof: each sweep reads an array, scales it and writes another, 2 elements and 1 flop a
 * point, with nothing kept between sweeps.
 * Usage: roof-memory [n [steps]] */
#include "../support.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 1009, 1);
    int steps = argument(argc, argv, 2, 5, 0);
    real *a = allocate((size_t)n, sizeof(real));
    real *b = allocate((size_t)n, sizeof(real));
    const real scale = (real)0.75;

    fill(a, 1, 1, n, 81);
    fill(b, 1, 1, n, 82);

    double start = seconds();
#pragma stencil strategy(direct)
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            b[i] = scale * a[i];
        real *tmp = a;
        a = b;
        b = tmp;
    }
    report_time(start, n, steps);

    report("a", a, (size_t)n, sizeof(real));
    report("b", b, (size_t)n, sizeof(real));
    free(a);
    free(b);
    return 0;
}
