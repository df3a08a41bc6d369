// Single elements written once a step: the four corners of a nine-point stencil.
// form: loops: a[0][0] = 0.5 * (a[0][1] + a[1][0]);
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
                b[i][j] = 0.2 * a[i][j] + 0.1 * (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1]
                          + a[i][j - 1] + a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
        a[0][0] = 0.5 * (a[0][1] + a[1][0]);
        a[0][m - 1] = a[1][m - 2];
        a[n - 1][0] = a[n - 2][1];
        a[n - 1][m - 1] = a[n - 2][m - 2];
    }
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    return 0;
}
