// Sub-groups that exchange so many rows that local memory has no room for two sets of them.
// args: 14 41 70 9 ; 9 30 61 8 ; 6 5 4 4
#include "dump.h"

static void advance(int l, int n, int m, int steps, double a[l][n][m], double b[l][n][m])
{
#pragma stencil strategy(stream) time_tile(4) tile(2, 32, 6) per_item(2) work_group(32, 8)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < l - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < m - 1; k++)
                    b[i][j][k] = 0.2 * a[i][j][k] + 0.1 * a[i - 1][j][k] + 0.15 * a[i + 1][j][k] +
                                 0.1 * a[i][j - 1][k] + 0.2 * a[i][j + 1][k] + 0.1 * a[i][j][k - 1] +
                                 0.15 * a[i][j][k + 1];
        for (int i = 1; i < l - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < m - 1; k++)
                    a[i][j][k] = b[i][j][k];
    }
}

int main(int argc, char **argv)
{
    int l = argument(argc, argv, 1, 14);
    int n = argument(argc, argv, 2, 41);
    int m = argument(argc, argv, 3, 70);
    size_t count = (size_t)(l * n * m);
    double *a = new_double(count, 1);
    double *b = new_double(count, 2);
    advance(l, n, m, argument(argc, argv, 4, 9), (void *)a, (void *)b);
    show_double("a", a, count);
    show_double("b", b, count);
    free(a);
    free(b);
    return 0;
}
