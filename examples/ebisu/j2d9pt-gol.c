/* j2d9pt-gol: a weighted sum over the 3 x 3 box, the neighbourhood of the Game of Life. 17 flops a
 * point and half sweep.
 * Idiom: two half sweeps a step, from A to B and from B to A; the time loop takes steps of two, and
 * the two arrays have borders of their own.
 * Usage: j2d9pt-gol [n [m [steps]]] */
#include "../support.h"

#define BOX(a)                                                                                     \
    (c[0] * a[i - 1][j - 1] + c[1] * a[i - 1][j] + c[2] * a[i - 1][j + 1] + c[3] * a[i][j - 1] +   \
     c[4] * a[i][j] + c[5] * a[i][j + 1] + c[6] * a[i + 1][j - 1] + c[7] * a[i + 1][j] +           \
     c[8] * a[i + 1][j + 1])

static const real c[9] = {0.08, 0.11, 0.07, 0.12, 0.24, 0.13, 0.06, 0.10, 0.09};

static void box(int n, int m, int steps, real A[n][m], real B[n][m])
{
    int t, i, j;

#pragma stencil
    for (t = 0; t < steps; t += 2) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                B[i][j] = BOX(A);
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                A[i][j] = BOX(B);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 121, 1);
    int m = argument(argc, argv, 2, 111, 1);
    int steps = argument(argc, argv, 3, 11, 0);
    size_t points = (size_t)n * m;
    real(*A)[m] = allocate(points, sizeof(real));
    real(*B)[m] = allocate(points, sizeof(real));

    fill(A[0], 1, n, m, 24);
    fill(B[0], 1, n, m, 25);

    double start = seconds();
    box(n, m, steps, A, B);
    report_time(start, points, steps + steps % 2);

    report("A", A, points, sizeof(real));
    report("B", B, points, sizeof(real));
    free(A);
    free(B);
    return 0;
}
