// Rows that a loop of the function has allocated are there, whatever a mask says: whole tables are exchanged, and functions use elements.
// args: 12 17 6 ; 9 30 5
// form: rows behind pointers: u[i] = malloc(m * sizeof **u);
#include "dump.h"

static void fill(double **rows, int n, int m, int seed)
{
    for (int i = 0; i < n; i++)
        fill_double(rows[i], m, seed + i);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 17), steps = argument(argc, argv, 3, 6);
    double **u = malloc(n * sizeof *u), **v = NULL;
    short *mask[64];
    v = (double **)malloc(sizeof(double *) * n);
    for (int i = 0; i < n; i++) {
        u[i] = malloc(m * sizeof **u);
        v[i] = (double *)calloc(m, sizeof(double));
        mask[i] = (short *)malloc(sizeof(short) * m);
        if (!u[i] || v[i] == NULL)
            return 1;
    }
    fill(u, n, m, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            mask[i][j] = noise(i * m + j) > 0.4;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                if (mask[i][j] == 1) {
                    int north = i == 0 ? 0 : i - 1, south = i == n - 1 ? i : i + 1;
                    v[i][j] = 0.25 * (u[north][j] + u[south][j] + u[i][j] + u[i][(j + 1) % m]);
                }
        double **old = u;
        u = v;
        v = old;
    }
    for (int i = 0; i < n; i++) {
        show_double("u", u[i], m);
        show_double("v", v[i], m);
        free(u[i]);
        free(v[i]);
        free(mask[i]);
    }
    free(u);
    free(v);
    return 0;
}
