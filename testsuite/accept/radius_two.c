// Radius two: the fourth-order Laplacian, also on grids smaller than the stencil.
// args: 17 13 5 ; 8 31 3 ; 4 9 2 ; 5 5 4 ; 1 1 1
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 13);
    int steps = argument(argc, argv, 3, 5);
    double a[n][m], b[n][m];
    fill_double(&a[0][0], (size_t)n * m, 1);
    fill_double(&b[0][0], (size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < m - 2; j++)
                b[i][j] = a[i][j]
                          + 0.01 * (-60.0 * a[i][j] + 16.0 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1])
                                    - (a[i - 2][j] + a[i + 2][j] + a[i][j - 2] + a[i][j + 2]));
        for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < m - 2; j++)
                a[i][j] = b[i][j];
    }
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    return 0;
}
