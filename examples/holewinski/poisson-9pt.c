/* Poisson Solver (Holewinski et al., ICS 2012, Figure 3): a relaxation of the nine-point Laplacian
 * [1 1 1; 1 -8 1; 1 1 1]. Damped Jacobi, u + w/8 * (sum of the eight neighbours - 8u), is with
 * w = 8/9 the mean of the nine points.
 * 9 flops a point. Idiom: pointers to arrays, a constant macro, a copy-back loop.
 * Usage: poisson-9pt [n [m [steps]]] */
#include "../support.h"

#define CNST ((real)1 / 9)

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 119, 1);
    int m = argument(argc, argv, 2, 101, 1);
    int steps = argument(argc, argv, 3, 11, 0);
    real(*A)[m] = allocate((size_t)n * m, sizeof(real));
    real(*B)[m] = allocate((size_t)n * m, sizeof(real));
    int i, j;

    fill(A[0], 1, n, m, 10);
    fill(B[0], 1, n, m, 11);

    double start = seconds();
#pragma stencil
    for (int t = 0; t < steps; ++t) {
        for (i = 1; i < n - 1; ++i) {
            for (j = 1; j < m - 1; ++j) {
                A[i][j] = CNST * (B[i][j] + B[i][j - 1] + B[i][j + 1] +
                                  B[i - 1][j] + B[i - 1][j - 1] + B[i - 1][j + 1] +
                                  B[i + 1][j] + B[i + 1][j - 1] + B[i + 1][j + 1]);
            }
        }
        for (i = 1; i < n - 1; ++i) {
            for (j = 1; j < m - 1; ++j) {
                B[i][j] = A[i][j];
            }
        }
    }
    report_time(start, (double)n * m, steps);

    report("A", A, (size_t)n * m, sizeof(real));
    report("B", B, (size_t)n * m, sizeof(real));
    free(A);
    free(B);
    return 0;
}
