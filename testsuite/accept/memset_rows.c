// Arrays and rows are cleared by `memset` before points of some of their elements are added up.
// form: bodies: memset(sum, 0, n * m * sizeof *sum);
// args: 5 9 7 ; 1 4 12
#include "rows.h"

static void gather(int n, int m, int steps, double *sum, const double *a, int (*count)[m], double **rows)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        memset(sum, 0, n * m * sizeof *sum);
        memset(count, 0, sizeof(int) * n * m);
        for (int i = 1; i < n - 1; i++)
            memset(rows[i], 0, m * sizeof(double));
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                sum[i * m + j] += a[i * m + j - 1] + a[(i - 1) * m + j] + t;
                count[i][j] += t + j;
                rows[i][j] -= a[i * m + j] * t;
            }
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5), n = argument(argc, argv, 2, 9), m = argument(argc, argv, 3, 7);
    size_t cells = (size_t)n * m;
    double *sum = new_double(cells, 1), *a = new_double(cells, 2), **rows = new_rows(n, m, 3);
    int *count = new_int(cells, 4);
    gather(n, m, steps, sum, a, (int (*)[m])count, rows);
    show_double("sum", sum, cells);
    show_int("count", count, cells);
    show_rows("rows", rows, n, m);
    return 0;
}
