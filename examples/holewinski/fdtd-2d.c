/* Electromagnetics (Holewinski et al., ICS 2012): the finite-difference time-domain method in two
 * dimensions on Yee's staggered grid, transverse electric mode.
 * 11 flops a cell: 3 for each of ex and ey, 5 for hz. Idiom: three fields of different extents,
 * updated in place one after the other; hz reads the ex and ey of the same step.
 * Usage: fdtd-2d [n [m [steps]]] */
#include "../support.h"

#define COURANT ((real)0.5)
#define LOSS ((real)0.7)

/* The outermost ex and ey lie on the wall and keep their values. */
static void propagate(int steps, int n, int m, real ex[n + 1][m], real ey[n][m + 1], real hz[n][m])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++)
                ey[i][j] -= COURANT * (hz[i][j] - hz[i][j - 1]);
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                ex[i][j] -= COURANT * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                hz[i][j] -= LOSS * (ex[i + 1][j] - ex[i][j] + ey[i][j + 1] - ey[i][j]);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 113, 1);
    int m = argument(argc, argv, 2, 97, 1);
    int steps = argument(argc, argv, 3, 11, 0);
    real(*ex)[m] = allocate((size_t)(n + 1) * m, sizeof(real));
    real(*ey)[m + 1] = allocate((size_t)n * (m + 1), sizeof(real));
    real(*hz)[m] = allocate((size_t)n * m, sizeof(real));

    fill(ex[0], 1, n + 1, m, 12);
    fill(ey[0], 1, n, m + 1, 13);
    fill(hz[0], 1, n, m, 14);

    double start = seconds();
    propagate(steps, n, m, ex, ey, hz);
    report_time(start, (double)n * m, steps);

    report("ex", ex, (size_t)(n + 1) * m, sizeof(real));
    report("ey", ey, (size_t)n * (m + 1), sizeof(real));
    report("hz", hz, (size_t)n * m, sizeof(real));
    free(ex);
    free(ey);
    free(hz);
    return 0;
}
