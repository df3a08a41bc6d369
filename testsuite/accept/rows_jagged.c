// Rows of different lengths: a triangle without an element more than the nest uses; unused rows are not there.
// form: rows behind pointers: for (int j = 1; j < i; j++) v[i][j]
// args: 17 5 ; 8 3 ; 23 4
#include "rows.h"

/* Row i has the elements 0 to i. */
static double **triangle(int n, int seed)
{
    double **rows = malloc((size_t)n * sizeof *rows);
    if (rows == NULL)
        exit(2);
    for (int i = 0; i < n; i++) {
        rows[i] = malloc((size_t)(i + 1) * sizeof **rows);
        if (rows[i] == NULL)
            exit(2);
        fill_double(rows[i], (size_t)i + 1, seed + 5 * i);
    }
    return rows;
}

static void average(int n, int steps, double **restrict u, double **restrict v)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n - 1; i++)
            for (int j = 1; j < i; j++)
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        for (int i = 2; i < n - 1; i++)
            for (int j = 1; j < i; j++)
                u[i][j] = v[i][j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double **u = triangle(n, 1), **v = triangle(n, 2);
    free(u[0]);
    u[0] = NO_ROW;
    free(v[0]);
    free(v[1]);
    v[0] = v[1] = NO_ROW;
    average(n, steps, u, v);
    for (int i = 2; i < n; i++) {
        show_double("u", u[i], (size_t)i + 1);
        show_double("v", v[i], (size_t)i + 1);
    }
    return 0;
}
