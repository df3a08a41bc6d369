// Rows by `malloc` each, the result is copied back; the tables have entries for no row at both ends.
// args: 17 9 5 ; 8 31 3 ; 11 7 6 ; 3 3 1
#include "rows.h"

static void relax(int n, int m, int steps, double **a, double **b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    double **a = new_rows(n, m, 1), **b = new_rows(n, m, 2);
    void *first = b[0], *last = b[n - 1];
    b[0] = b[n - 1] = NO_ROW;
    relax(n, m, steps, a, b);
    b[0] = first;
    b[n - 1] = last;
    show_rows("a", a, n, m);
    show_rows("b", b, n, m);
    free_rows(a, n);
    free_rows(b, n);
    return 0;
}
