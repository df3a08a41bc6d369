// The step chooses among tables of rows, and among flat arrays that a table leads to.
// args: 17 9 5 2 ; 8 31 3 1 ; 11 7 6 0
#include "rows.h"

static double **u[2];

static void relax(int n, int m, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[(t + 1) % 2][i][j] = 0.25 * (u[t % 2][i - 1][j] + u[t % 2][i + 1][j] + u[t % 2][i][j - 1] + u[t % 2][i][j + 1]);
}

static void smooth(int n, int first, int last, double *w[3])
{
#pragma stencil
    for (int t = first; t < last; t++)
        for (int i = 1; i < n - 1; i++)
            w[(t + 1) % 3][i] = 0.5 * (w[t % 3][i - 1] + w[t % 3][i + 1]);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    int first = argument(argc, argv, 4, 2);
    double **w = new_rows(3, n, 5);
    u[0] = new_rows(n, m, 1);
    u[1] = new_rows(n, m, 2);
    relax(n, m, steps);
    smooth(n, first, first + steps, w);
    show_rows("u", u[0], n, m);
    show_rows("u", u[1], n, m);
    show_rows("w", w, 3, n);
    return 0;
}
