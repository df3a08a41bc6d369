// A coefficient field read at neighbours and half a cell away; its extent is larger by one.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double a[n][m], b[n][m], k[n + 1][m + 1];
    fill_double(&a[0][0], (size_t)n * m, 1);
    fill_double(&b[0][0], (size_t)n * m, 2);
    fill_double(&k[0][0], (size_t)(n + 1) * (m + 1), 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = a[i][j] + 0.1 * ((k[i][j] + k[i + 1][j]) * (a[i + 1][j] - a[i][j])
                                           - (k[i - 1][j] + k[i][j]) * (a[i][j] - a[i - 1][j])
                                           + k[i + 2][j + 2] * a[i][j + 1] - k[i][j - 1] * a[i][j - 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    show_double("k", &k[0][0], (size_t)(n + 1) * (m + 1));
    return 0;
}
