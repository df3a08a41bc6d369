// Fields of different ranks in one nest: a plane, a row beside it and a space of three dimensions.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

static void smooth(int n, int m, int steps, double a[n][m], double b[n][m], double *row, double space[3][n][m])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (int j = 1; j < m - 1; j++)
            row[j] = 0.5 * row[j] + b[1][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 0; k < 3; k++)
                    space[k][i][j] += b[i][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j] + 0.01 * row[j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    size_t size = (size_t)n * m;
    double *a = new_double(size, 1), *b = new_double(size, 2), *row = new_double(m, 3), *space = new_double(3 * size, 4);
    smooth(n, m, steps, (double (*)[m])a, (double (*)[m])b, row, (double (*)[n][m])space);
    show_double("a", a, size);
    show_double("b", b, size);
    show_double("row", row, m);
    show_double("space", space, 3 * size);
    return 0;
}
