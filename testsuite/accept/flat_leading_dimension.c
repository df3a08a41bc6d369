// Rows are longer than the loops: a leading dimension of its own, one per array.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

static void smooth(double *a, int lda, double *b, int ldb, int n, int m, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * ldb + j] = 0.25 * (a[i * lda + j - 1] + a[i * lda + j + 1]
                                         + a[(i - 1) * lda + j] + a[(i + 1) * lda + j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * lda + j] = b[i * ldb + j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5), lda = m + 3, ldb = m + 6;
    double *a = new_double((size_t)n * lda, 1), *b = new_double((size_t)n * ldb, 2);
    smooth(a, lda, b, ldb, n, m, steps);
    show_double("a", a, (size_t)n * lda);
    show_double("b", b, (size_t)n * ldb);
    return 0;
}
