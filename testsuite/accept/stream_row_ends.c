// Rows and columns whose two ends one tile may hold: reads to one side, two fields with domains of their own, conductances, copied borders.
// args: 4 13 61 16 70 23 106 ; 7 12 110 14 111 ; 5 15 132 11 237 ; 3 24 33 21 70
#include "dump.h"

/* Both arrays have borders of their own; two columns are read before a cell, one behind it. */
static void drift(int l, int n, int m, int steps, float a[l][n][m], float b[l][n][m])
{
#pragma stencil strategy(stream) time_tile(2) tile(2, 12, 5) per_item(2) work_group(32, 6)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < l - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 2; k < m - 1; k++)
                    b[i][j][k] = 0.2f * a[i][j][k] + 0.1f * a[i - 1][j][k] + 0.1f * a[i + 1][j][k] + 0.15f * a[i][j - 1][k]
                                 + 0.1f * a[i][j + 1][k] + 0.25f * a[i][j][k - 2] + 0.1f * a[i][j][k + 1];
        for (int i = 1; i < l - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 2; k < m - 1; k++)
                    a[i][j][k] = b[i][j][k];
    }
}

/* In place; the domains of the two fields begin and end at different columns. */
static void waves(int l, int n, int m, int steps, double p[l][n][m], double u[l][n][m])
{
#pragma stencil strategy(stream) time_tile(2) tile(1, 10, 4) per_item(1) work_group(32, 5)
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < l; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < m - 1; k++)
                    u[i][j][k] = u[i][j][k] - 0.3 * (p[i][j][k + 1] - p[i][j][k]);
        for (int i = 1; i < l - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 3; k < m - 2; k++)
                    p[i][j][k] = p[i][j][k] - 0.2 * (u[i][j][k] - u[i][j][k - 1] + u[i - 1][j + 1][k] - u[i][j - 1][k]);
    }
}

/* The conductance of neighbours is read, too. */
static void diffuse(int l, int n, int m, int steps, double *a, double *b, const double *c)
{
#pragma stencil strategy(stream) time_tile(3) tile(1, 14, 3) per_item(4) work_group(32, 7)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < l - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < m - 1; k++)
                    b[(i * n + j) * m + k] =
                        a[(i * n + j) * m + k]
                        + 0.1 * (c[(i * n + j) * m + k + 1] * (a[(i * n + j) * m + k + 1] - a[(i * n + j) * m + k])
                                 - c[(i * n + j) * m + k - 1] * (a[(i * n + j) * m + k] - a[(i * n + j) * m + k - 1]))
                        + 0.2 * a[((i - 1) * n + j) * m + k] - 0.1 * a[(i * n + j + 1) * m + k]
                        + 0.3 * a[(i * n + j - 1) * m + k];
        double *swap = a;
        a = b;
        b = swap;
    }
}

/* Borders are copied too: a step uses in the same step what a halo holds. */
static void settle(int l, int n, int m, int steps, double a[l][n][m], double b[l][n][m])
{
#pragma stencil strategy(stream) time_tile(2) tile(1, 12, 4) per_item(2) work_group(32, 3)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < l - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < m - 1; k++)
                    b[i][j][k] = 0.3 * a[i][j][k] + 0.1 * (a[i - 1][j][k] + a[i + 1][j][k]) + 0.15 * a[i][j - 1][k]
                                 + 0.12 * a[i][j + 1][k] + 0.11 * (a[i][j][k - 1] + a[i][j][k + 1]);
        for (int i = 0; i < l; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < m; k++)
                    a[i][j][k] = b[i][j][k];
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 4), l = 5;
    for (int k = 2; k + 1 < argc; k += 2) {
        int n = atoi(argv[k]), m = atoi(argv[k + 1]);
        size_t count = (size_t)(l * n * m);
        float *a = new_float(count, 1), *b = new_float(count, 2);
        double *c = new_double(count, 3), *d = new_double(count, 4), *e = new_double(count, 5);
        printf("%d rows of %d cells\n", n, m);
        drift(l, n, m, steps, (void *)a, (void *)b);
        show_float("a", a, count);
        show_float("b", b, count);
        waves(l, n, m, steps, (void *)c, (void *)d);
        show_double("c", c, count);
        show_double("d", d, count);
        diffuse(l, n, m, steps, c, d, e);
        show_double("c", c, count);
        show_double("d", d, count);
        settle(3 * l, n / 3, m, steps, (void *)c, (void *)d);
        show_double("c", c, count);
        show_double("d", d, count);
        free(a);
        free(b);
        free(c);
        free(d);
        free(e);
    }
    return 0;
}
