// Three dimensions, seven points, true arrays.
// args: 9 11 13 5 ; 4 21 35 3 ; 3 3 3 4
#include "dump.h"

int main(int argc, char **argv)
{
    int p = argument(argc, argv, 1, 9), n = argument(argc, argv, 2, 11);
    int m = argument(argc, argv, 3, 13), steps = argument(argc, argv, 4, 5);
    double a[p][n][m], b[p][n][m];
    size_t size = (size_t)p * n * m;
    fill_double(&a[0][0][0], size, 1);
    fill_double(&b[0][0][0], size, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int z = 1; z < p - 1; z++)
            for (int y = 1; y < n - 1; y++)
                for (int x = 1; x < m - 1; x++)
                    b[z][y][x] = 0.4 * a[z][y][x]
                                 + 0.1 * (a[z][y][x - 1] + a[z][y][x + 1] + a[z][y - 1][x] + a[z][y + 1][x]
                                          + a[z - 1][y][x] + a[z + 1][y][x]);
        for (int z = 1; z < p - 1; z++)
            for (int y = 1; y < n - 1; y++)
                for (int x = 1; x < m - 1; x++)
                    a[z][y][x] = b[z][y][x];
    }
    show_double("a", &a[0][0][0], size);
    show_double("b", &b[0][0][0], size);
    return 0;
}
