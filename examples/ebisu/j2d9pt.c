/* j2d9pt: a weighted sum over a star of radius 2. 17 flops a point.
 * Idiom: one array A[2][n][m], the time step's parity chooses the plane to read and to write.
 * Usage: j2d9pt [n [m [steps]]] */
#include "../support.h"

static void star(int n, int m, int steps, real A[2][n][m])
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < m - 2; j++)
                A[(t + 1) % 2][i][j] =
                    (real)0.07 * A[t % 2][i - 2][j] + (real)0.11 * A[t % 2][i - 1][j] +
                    (real)0.05 * A[t % 2][i][j - 2] + (real)0.12 * A[t % 2][i][j - 1] +
                    (real)0.27 * A[t % 2][i][j] +
                    (real)0.13 * A[t % 2][i][j + 1] + (real)0.06 * A[t % 2][i][j + 2] +
                    (real)0.10 * A[t % 2][i + 1][j] + (real)0.09 * A[t % 2][i + 2][j];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 131, 1);
    int m = argument(argc, argv, 2, 103, 1);
    int steps = argument(argc, argv, 3, 9, 0);
    size_t points = (size_t)n * m;
    real(*A)[n][m] = allocate(2 * points, sizeof(real));

    fill(&A[0][0][0], 1, n, m, 22);
    fill(&A[1][0][0], 1, n, m, 23);

    double start = seconds();
    star(n, m, steps, A);
    report_time(start, points, steps);

    report("even", A[0], points, sizeof(real));
    report("odd", A[1], points, sizeof(real));
    free(A);
    return 0;
}
