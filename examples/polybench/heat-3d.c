/* heat-3d in the style of PolyBench/C: the heat equation with one second difference a dimension,
 * two half sweeps a step; time counts from 1 to TSTEPS, both included.
 * 15 flops a point and half sweep.
 * Usage: heat-3d [n [tsteps]] */
#include "polybench.h"

static void init_array(int n, DATA_TYPE POLYBENCH_3D(A, N, N, N, n, n, n),
                       DATA_TYPE POLYBENCH_3D(B, N, N, N, n, n, n))
{
    int i, j, k;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            for (k = 0; k < n; k++) {
                A[i][j][k] = (DATA_TYPE)((i + 2 * j + (n - k)) * 10 % 47) / n;
                B[i][j][k] = (DATA_TYPE)((2 * i + j + 3 * k + 1) * 7 % 53) / n;
            }
}

static void kernel_heat_3d(int tsteps, int n, DATA_TYPE POLYBENCH_3D(A, N, N, N, n, n, n),
                           DATA_TYPE POLYBENCH_3D(B, N, N, N, n, n, n))
{
    int t, i, j, k;

#pragma stencil
    for (t = 1; t <= _PB_TSTEPS; t++) {
        for (i = 1; i < _PB_N - 1; i++) {
            for (j = 1; j < _PB_N - 1; j++) {
                for (k = 1; k < _PB_N - 1; k++) {
                    B[i][j][k] =
                        SCALAR_VAL(0.125) *
                            (A[i + 1][j][k] - SCALAR_VAL(2.0) * A[i][j][k] + A[i - 1][j][k]) +
                        SCALAR_VAL(0.125) *
                            (A[i][j + 1][k] - SCALAR_VAL(2.0) * A[i][j][k] + A[i][j - 1][k]) +
                        SCALAR_VAL(0.125) *
                            (A[i][j][k + 1] - SCALAR_VAL(2.0) * A[i][j][k] + A[i][j][k - 1]) +
                        A[i][j][k];
                }
            }
        }
        for (i = 1; i < _PB_N - 1; i++) {
            for (j = 1; j < _PB_N - 1; j++) {
                for (k = 1; k < _PB_N - 1; k++) {
                    A[i][j][k] =
                        SCALAR_VAL(0.125) *
                            (B[i + 1][j][k] - SCALAR_VAL(2.0) * B[i][j][k] + B[i - 1][j][k]) +
                        SCALAR_VAL(0.125) *
                            (B[i][j + 1][k] - SCALAR_VAL(2.0) * B[i][j][k] + B[i][j - 1][k]) +
                        SCALAR_VAL(0.125) *
                            (B[i][j][k + 1] - SCALAR_VAL(2.0) * B[i][j][k] + B[i][j][k - 1]) +
                        B[i][j][k];
                }
            }
        }
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 27, 1);
    int tsteps = argument(argc, argv, 2, 5, 0);
    size_t points = (size_t)n * n * n;
    POLYBENCH_3D_ARRAY_DECL(A, DATA_TYPE, N, N, N, n, n, n);
    POLYBENCH_3D_ARRAY_DECL(B, DATA_TYPE, N, N, N, n, n, n);

    init_array(n, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));

    polybench_start_instruments;
    kernel_heat_3d(tsteps, n, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
    polybench_print_instruments(points, 2.0 * tsteps);

    polybench_print_array(A, points);
    polybench_print_array(B, points);
    POLYBENCH_FREE_ARRAY(A);
    POLYBENCH_FREE_ARRAY(B);
    return 0;
}
