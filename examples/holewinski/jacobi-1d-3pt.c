/* Jacobi 1-D 3-Pt (Holewinski et al., ICS 2012, Figure 2): the mean of three neighbours.
 * 3 flops a point. Idiom: two buffers and a pointer swap; the loop variable outlives the loop.
 * Usage: jacobi-1d-3pt [n [steps]] */
#include "../support.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 1021, 1);
    int steps = argument(argc, argv, 2, 23, 0);
    real *a = allocate(n, sizeof(real));
    real *a_tmp = allocate(n, sizeof(real));
    int t, i;

    fill(a_tmp, 1, 1, n, 1);
    memcpy(a, a_tmp, n * sizeof(real));

    double start = seconds();
#pragma stencil
    for (t = 0; t < steps; ++t) {
        for (i = 1; i < n - 1; ++i) {
            a[i] = 0.333 * (a_tmp[i - 1] + a_tmp[i] + a_tmp[i + 1]);
        }
        real *swap = a_tmp;
        a_tmp = a;
        a = swap;
    }
    report_time(start, n, steps);

    printf("stopped at t = %d\n", t);
    report("a", a, n, sizeof(real));
    report("a_tmp", a_tmp, n, sizeof(real));
    free(a);
    free(a_tmp);
    return 0;
}
