// Read-only arrays read transposed, mirrored and with a stride: they are never written, so this is legal.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double a[n][m], b[n][m], k[m][n], mirror[n], wide[2 * m];
    fill_double(&a[0][0], (size_t)n * m, 1);
    fill_double(&b[0][0], (size_t)n * m, 2);
    fill_double(&k[0][0], (size_t)n * m, 3);
    fill_double(mirror, n, 4);
    fill_double(wide, (size_t)2 * m, 5);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = k[j][i] * a[i][j - 1] + mirror[n - 1 - i] * a[i + 1][j] + wide[2 * j + 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    return 0;
}
