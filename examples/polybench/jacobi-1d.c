/* jacobi-1d in the style of PolyBench/C: two half sweeps a step, A to B and B to A.
 * 3 flops a point and half sweep.
 * Usage: jacobi-1d [n [tsteps]] */
#include "polybench.h"

static void init_array(int n, DATA_TYPE POLYBENCH_1D(A, N, n), DATA_TYPE POLYBENCH_1D(B, N, n))
{
    int i;

    for (i = 0; i < n; i++) {
        A[i] = ((DATA_TYPE)(i * 7 % 31) + 2) / n;
        B[i] = ((DATA_TYPE)(i * 5 % 37) + 3) / n;
    }
}

static void kernel_jacobi_1d(int tsteps, int n, DATA_TYPE POLYBENCH_1D(A, N, n),
                             DATA_TYPE POLYBENCH_1D(B, N, n))
{
    int t, i;

#pragma stencil
    for (t = 0; t < _PB_TSTEPS; t++) {
        for (i = 1; i < _PB_N - 1; i++)
            B[i] = SCALAR_VAL(0.33333) * (A[i - 1] + A[i] + A[i + 1]);
        for (i = 1; i < _PB_N - 1; i++)
            A[i] = SCALAR_VAL(0.33333) * (B[i - 1] + B[i] + B[i + 1]);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 997, 1);
    int tsteps = argument(argc, argv, 2, 17, 0);
    POLYBENCH_1D_ARRAY_DECL(A, DATA_TYPE, N, n);
    POLYBENCH_1D_ARRAY_DECL(B, DATA_TYPE, N, n);

    init_array(n, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));

    polybench_start_instruments;
    kernel_jacobi_1d(tsteps, n, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
    polybench_print_instruments(n, 2.0 * tsteps);

    polybench_print_array(A, n);
    polybench_print_array(B, n);
    POLYBENCH_FREE_ARRAY(A);
    POLYBENCH_FREE_ARRAY(B);
    return 0;
}
