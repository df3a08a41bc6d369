// Clauses on tables of rows: what is only used under a condition on data exists, nobody asks for `work`.
// args: 17 9 5 ; 8 31 3
#include "rows.h"

static void relax(int n, int m, int steps, double **a, double **work, int **is_fluid)
{
#pragma stencil extent(a[0:n][0:m]) extent(work[0:n][0:m]) restrict(a, work) scratch(work)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if (is_fluid[i][j] > 0)
                    work[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if (is_fluid[i][j] > 0)
                    a[i][j] = work[i][j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    double **a = new_rows(n, m, 1), **work = new_rows(n, m, 2);
    int **is_fluid = malloc((size_t)n * sizeof *is_fluid);
    for (int i = 0; i < n; i++)
        is_fluid[i] = new_int((size_t)m, 3 + i);
    relax(n, m, steps, a, work, is_fluid);
    show_rows("a", a, n, m);
    return 0;
}
