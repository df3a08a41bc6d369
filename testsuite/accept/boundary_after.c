// Neumann borders copied from the interior after the update.
// form: loops: a[n - 1][j] = a[n - 2][j];
// args: 17 9 5 ; 8 31 3 ; 3 3 4
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
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
        for (int j = 1; j < m - 1; j++) {
            a[0][j] = a[1][j];
            a[n - 1][j] = a[n - 2][j];
        }
        for (int i = 0; i < n; i++) {
            a[i][0] = a[i][1];
            a[i][m - 1] = a[i][m - 2];
        }
    }
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    return 0;
}
