// Radius three in one dimension only.
// args: 17 13 5 ; 8 31 3 ; 6 9 2
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
        for (int i = 3; i < n - 3; i++)
            for (int j = 0; j < m; j++)
                b[i][j] = 0.3 * (a[i - 3][j] + a[i + 3][j]) + 0.2 * (a[i - 1][j] + a[i + 2][j]);
        for (int i = 3; i < n - 3; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = b[i][j];
    }
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    return 0;
}
