// Four dimensions.
// args: 5 6 7 9 4 ; 3 4 3 5 2
#include "dump.h"

int main(int argc, char **argv)
{
    int q = argument(argc, argv, 1, 5), p = argument(argc, argv, 2, 6), n = argument(argc, argv, 3, 7);
    int m = argument(argc, argv, 4, 9), steps = argument(argc, argv, 5, 4);
    double a[q][p][n][m], b[q][p][n][m];
    size_t size = (size_t)q * p * n * m;
    fill_double(&a[0][0][0][0], size, 1);
    fill_double(&b[0][0][0][0], size, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int w = 1; w < q - 1; w++)
            for (int z = 1; z < p - 1; z++)
                for (int y = 1; y < n - 1; y++)
                    for (int x = 1; x < m - 1; x++)
                        b[w][z][y][x] = 0.1 * (a[w - 1][z][y][x] + a[w + 1][z][y][x] + a[w][z - 1][y][x]
                                               + a[w][z + 1][y][x] + a[w][z][y - 1][x] + a[w][z][y + 1][x]
                                               + a[w][z][y][x - 1] + a[w][z][y][x + 1] + 2 * a[w][z][y][x]);
        for (int w = 1; w < q - 1; w++)
            for (int z = 1; z < p - 1; z++)
                for (int y = 1; y < n - 1; y++)
                    for (int x = 1; x < m - 1; x++)
                        a[w][z][y][x] = b[w][z][y][x];
    }
    show_double("a", &a[0][0][0][0], size);
    show_double("b", &b[0][0][0][0], size);
    return 0;
}
