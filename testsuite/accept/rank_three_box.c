// Three dimensions, all 27 points, float.
// args: 7 9 11 4
#include "dump.h"

#define ROW(z, y) (a[z][y][x - 1] + a[z][y][x] + a[z][y][x + 1])
#define PLANE(z) (ROW(z, y - 1) + ROW(z, y) + ROW(z, y + 1))

int main(int argc, char **argv)
{
    int p = argument(argc, argv, 1, 7), n = argument(argc, argv, 2, 9);
    int m = argument(argc, argv, 3, 11), steps = argument(argc, argv, 4, 4);
    float a[p][n][m], b[p][n][m];
    size_t size = (size_t)p * n * m;
    fill_float(&a[0][0][0], size, 1);
    fill_float(&b[0][0][0], size, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int z = 1; z < p - 1; z++)
            for (int y = 1; y < n - 1; y++)
                for (int x = 1; x < m - 1; x++)
                    b[z][y][x] = (PLANE(z - 1) + PLANE(z) + PLANE(z + 1)) / 27.0f;
        for (int z = 1; z < p - 1; z++)
            for (int y = 1; y < n - 1; y++)
                for (int x = 1; x < m - 1; x++)
                    a[z][y][x] = b[z][y][x];
    }
    show_float("a", &a[0][0][0], size);
    show_float("b", &b[0][0][0], size);
    return 0;
}
