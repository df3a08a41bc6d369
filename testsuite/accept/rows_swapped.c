// Rows in one block of memory for each table; the tables are swapped, and so is what the caller's pointers lead to.
// form: rows behind pointers: v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j]
// form: rows behind pointers: double **tmp = u; u = v; v = tmp;
// args: 17 9 5 ; 8 31 3 ; 11 7 6 ; 9 9 0
#include "rows.h"

static double **block(int n, int m, int seed)
{
    double **rows = malloc((size_t)n * sizeof *rows);
    if (rows == NULL)
        exit(2);
    rows[0] = new_double((size_t)n * m, seed);
    for (int i = 1; i < n; i++)
        rows[i] = rows[i - 1] + m;
    return rows;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    double **u = block(n, m, 1), **v = block(n, m, 2), **first = u;
    int t;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        double **tmp = u;
        u = v;
        v = tmp;
    }
    printf("%d %d\n", t, u == first);
    show_double("u", u[0], (size_t)n * m);
    show_double("v", v[0], (size_t)n * m);
    return 0;
}
