// A history of three rows a step in three dimensions with a source at a place that parameters say.
// args: 9 8 11 2 ; 7 9 12 8 ; 6 6 6 1
#include "dump.h"

static void wave(int n, int m, int l, int steps, float (*p)[n][m][l], const float *speed, const float *pulse, int at)
{
#pragma stencil
    for (int t = 1; t <= steps; t++) {
        for (int z = 1; z < n - 1; z++)
            for (int y = 1; y < m - 1; y++)
                for (int x = 1; x < l - 1; x++)
                    p[t + 1][z][y][x] =
                        2.0f * p[t][z][y][x] - p[t - 1][z][y][x] +
                        speed[(z * m + y) * l + x] * (p[t][z - 1][y][x] + p[t][z + 1][y][x] + p[t][z][y - 1][x] +
                                                      p[t][z][y + 1][x] + p[t][z][y][x - 1] + p[t][z][y][x + 1] -
                                                      6.0f * p[t][z][y][x]);
        p[t + 1][at][3][at + 1] += pulse[t];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 7), m = argument(argc, argv, 2, 9);
    int l = argument(argc, argv, 3, 8), steps = argument(argc, argv, 4, 5);
    size_t cells = (size_t)n * m * l;
    float *p = new_float((steps + 2) * cells, 1), *speed = new_float(cells, 2);
    float *pulse = new_float(steps + 1, 3);
    wave(n, m, l, steps, (float(*)[n][m][l])p, speed, pulse, n / 2);
    show_float("p", p, (steps + 2) * cells);
    return 0;
}
