// Nothing but a mask says which elements of rows behind tables of pointers are used: rows of one block, and rows that were
// allocated one after another.
// args: 12 9 5 ; 30 17 0 ; 9 40 6
// form: rows behind pointers: if (is_fluid[i][j]) u[i][j] += 0.25 * (u[i - 1][j] + u[i + 1][j] - 2 * u[i][j]);
#include <stdlib.h>

#include "dump.h"

static double **one_block(int n, int m, int seed)
{
    double **rows = malloc(n * sizeof *rows), *block = new_double(n * m, seed);
    for (int i = 0; i < n; i++)
        rows[i] = block + i * m;
    return rows;
}

static double **row_by_row(int n, int m, int seed)
{
    double **rows = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++)
        rows[i] = malloc(m * sizeof **rows);
    for (int i = 0; i < n; i++)
        fill_double(rows[i], m, seed + i);
    return rows;
}

static void relax(double **u, char **is_fluid, int n, int m, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int colour = 0; colour <= 1; colour++)
            for (int i = 1; i <= n; i++)
                for (int j = 1; j <= m; j++) {
                    if ((i + j) % 2 != colour)
                        continue;
                    if (is_fluid[i][j]) u[i][j] += 0.25 * (u[i - 1][j] + u[i + 1][j] - 2 * u[i][j]);
                }
}

static void spread(double **to, double **from, char **is_fluid, int n, int m, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                if (is_fluid[i][j])
                    to[i][j] = from[i][j] + 0.125 * (from[i][j - 1] - 2 * from[i][j] + from[i][j + 1]);
        double **swapped = to;
        to = from;
        from = swapped;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    double **u = one_block(n + 2, m + 2, 1), **to = row_by_row(n + 2, m + 2, 2), **from = row_by_row(n + 2, m + 2, 3);
    char **is_fluid = malloc((n + 2) * sizeof *is_fluid);
    for (int i = 0; i < n + 2; i++) {
        is_fluid[i] = malloc(m + 2);
        for (int j = 0; j < m + 2; j++)
            is_fluid[i][j] = (3 * i + 5 * j) % 7 != 0;
    }
    relax(u, is_fluid, n, m, steps);
    spread(to, from, is_fluid, n, m, steps);
    show_double("u", u[0], (n + 2) * (m + 2));
    for (int i = 0; i < n + 2; i++) {
        show_double("to", to[i], m + 2);
        show_double("from", from[i], m + 2);
    }
    return 0;
}
