// Sub-groups that have each other's rows: those at the ends of planes go where a multiprocessor's schedulers have fewest.
// args: 9 14 41 70 ; 5 9 19 61 ; 8 12 60 64 ; 4 5 4 6
#include "dump.h"

static void eleven(int l, int n, int m, int steps, float *a, float *b)
{
#pragma stencil strategy(stream) time_tile(4) tile(1, 22, 6) per_item(2) work_group(32, 11)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < l - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < m - 1; k++)
                    b[(i * n + j) * m + k] =
                        0.2f * a[(i * n + j) * m + k] + 0.1f * a[((i - 1) * n + j) * m + k]
                        + 0.15f * a[((i + 1) * n + j) * m + k] + 0.1f * a[(i * n + j - 1) * m + k]
                        + 0.2f * a[(i * n + j + 1) * m + k] + 0.1f * a[(i * n + j) * m + k - 1]
                        + 0.15f * a[(i * n + j) * m + k + 1];
        float *swap = a;
        a = b;
        b = swap;
    }
}

/* Rows are read to one side alone. */
static void five(int l, int n, int m, int steps, double a[l][n][m], double b[l][n][m])
{
#pragma stencil strategy(stream) time_tile(4) tile(1, 25, 5) per_item(1) work_group(32, 5)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < l - 1; i++)
            for (int j = 1; j < n; j++)
                for (int k = 1; k < m - 1; k++)
                    b[i][j][k] = 0.3 * a[i][j][k] + 0.2 * a[i - 1][j][k] + 0.1 * a[i + 1][j][k] + 0.25 * a[i][j - 1][k]
                                 + 0.1 * a[i][j][k - 1] + 0.05 * a[i][j][k + 1];
        for (int i = 1; i < l - 1; i++)
            for (int j = 1; j < n; j++)
                for (int k = 1; k < m - 1; k++)
                    a[i][j][k] = b[i][j][k];
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 9);
    int l = argument(argc, argv, 2, 14);
    int n = argument(argc, argv, 3, 41);
    int m = argument(argc, argv, 4, 70);
    size_t count = (size_t)(l * n * m);
    float *a = new_float(count, 1), *b = new_float(count, 2);
    double *c = new_double(count, 3), *d = new_double(count, 4);
    eleven(l, n, m, steps, a, b);
    five(l, n, m, steps, (void *)c, (void *)d);
    show_float("a", a, count);
    show_float("b", b, count);
    show_double("c", c, count);
    show_double("d", d, count);
    free(a);
    free(b);
    free(c);
    free(d);
    return 0;
}
