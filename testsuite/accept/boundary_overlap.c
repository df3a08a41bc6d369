// Sweeps of one step write the same elements one after the other: the last one counts.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double a[n][m], b[n][m];
    fill_double(&a[0][0], (size_t)n * m, 1);
    fill_double(&b[0][0], (size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (int j = 0; j < m; j++)
            b[1][j] = 0.5 * a[2][j];
        for (int i = 0; i < n; i++)
            b[i][1] = 0.25 * a[i][0] + 0.1 * t;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = b[i][j];
        for (int i = 2; i < n - 2; i++)
            a[i][m - 1] = b[i - 1][m - 2] + b[i + 1][m - 2];
    }
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    return 0;
}
