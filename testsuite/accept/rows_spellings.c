// The same rows by subscripts, dereferences, moved tables and rows, and copied as rows.
// form: rows behind pointers: (*(a + i))[j - 1]
// form: rows behind pointers: memcpy(a[i], b[i], m * sizeof **a);
// args: 17 9 5 ; 8 31 3
#include "rows.h"

static void relax(int n, int m, int steps, double **a, double *b[])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            double **around = a + i;
            double *out = b[i] + 1;
            for (int j = 1; j < m - 1; j++)
                *(out + (j - 1)) = 0.2 * (*(a[i] + j) + (*(a + i))[j - 1] + *(*around + j + 1) + around[-1][j] +
                                          (&a[i + 1])[0][j]);
        }
        for (int i = 1; i < n - 1; i++)
            memcpy(a[i], b[i], m * sizeof **a);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    double **a = new_rows(n, m, 1), **b = new_rows(n, m, 2);
    relax(n, m, steps, a, b);
    show_rows("a", a, n, m);
    show_rows("b", b, n, m);
    return 0;
}
