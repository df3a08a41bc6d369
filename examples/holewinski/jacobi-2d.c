/* Jacobi 2-D (Holewinski et al., ICS 2012): the mean of a point and its four neighbours.
 * 5 flops a point. Idiom: global arrays of fixed size of which a part is used, a copy-back loop.
 * Usage: jacobi-2d [n [m [steps]]]; build with -DMAX=... for sizes above 256 */
#include "../support.h"

#ifndef MAX
#define MAX 256
#endif

static real A[MAX][MAX];
static real B[MAX][MAX];

static void jacobi(int n, int m, int steps)
{
    int t, i, j;

#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                A[i][j] = B[i][j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 127, 1);
    int m = argument(argc, argv, 2, 97, 1);
    int steps = argument(argc, argv, 3, 11, 0);

    if (n > MAX || m > MAX) {
        fprintf(stderr, "%d x %d is more than %d x %d: build with a larger -DMAX\n", n, m, MAX, MAX);
        return 2;
    }
    fill(&A[0][0], 1, MAX, MAX, 6);
    fill(&B[0][0], 1, MAX, MAX, 7);

    double start = seconds();
    jacobi(n, m, steps);
    report_time(start, (double)n * m, steps);

    report("A", A, (size_t)MAX * MAX, sizeof(real));
    report("B", B, (size_t)MAX * MAX, sizeof(real));
    return 0;
}
