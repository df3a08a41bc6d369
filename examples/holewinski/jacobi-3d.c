/* Jacobi 3-D (Holewinski et al., ICS 2012): the mean of a point and its six neighbours.
 * 7 flops a point. Idiom: array parameters with run-time extents, copy-back by memcpy, which
 * also carries the border of the second array over.
 * Usage: jacobi-3d [n [m [l [steps]]]] */
#include "../support.h"

static void jacobi3d(int steps, int n, int m, int l, real u[n][m][l], real v[n][m][l])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < l - 1; k++)
                    v[i][j][k] = (real)(1.0 / 7.0) *
                                 (u[i][j][k] + u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] +
                                  u[i][j + 1][k] + u[i][j][k - 1] + u[i][j][k + 1]);
        memcpy(u, v, sizeof(real) * n * m * l);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 29, 1);
    int m = argument(argc, argv, 2, 31, 1);
    int l = argument(argc, argv, 3, 23, 1);
    int steps = argument(argc, argv, 4, 5, 0);
    size_t points = (size_t)n * m * l;
    real(*u)[m][l] = allocate(points, sizeof(real));
    real(*v)[m][l] = allocate(points, sizeof(real));

    fill(&u[0][0][0], n, m, l, 8);
    fill(&v[0][0][0], n, m, l, 9);

    double start = seconds();
    jacobi3d(steps, n, m, l, u, v);
    report_time(start, points, steps);

    report("u", u, points, sizeof(real));
    report("v", v, points, sizeof(real));
    free(u);
    free(v);
    return 0;
}
