// A store for each direction of a lattice, all of which need the values of all directions; some only at some places.
#include "dump.h"

#define N 22

static double f[5][N][N], g[5][N][N];

int main(void)
{
    fill_double(&f[0][0][0], 5 * N * N, 1);
    fill_double(&g[0][0][0], 5 * N * N, 2);
#pragma stencil
    for (int t = 0; t < 4; t++) {
        for (int y = 1; y < N - 1; y++)
            for (int x = 1; x < N - 1; x++) {
                double f0 = f[0][y][x], f1 = f[1][y][x - 1], f2 = f[2][y][x + 1], f3 = f[3][y - 1][x], f4 = f[4][y + 1][x];
                double rho = f0 + f1 + f2 + f3 + f4, ux = (f1 - f2) * 0.5, uy = (f3 - f4) * 0.5;
                g[0][y][x] = f0 + 0.7 * (rho * 0.2 - f0);
                g[1][y][x] = f1 + 0.7 * (rho * 0.2 + ux - f1);
                g[2][y][x] = f2 + 0.7 * (rho * 0.2 - ux - f2);
                g[3][y][x] = f3 + 0.7 * (rho * 0.2 + uy - f3);
                if (x > 4)
                    g[4][y][x] = f4 + 0.7 * (rho * 0.2 - uy - f4);
            }
        for (int q = 0; q < 5; q++)
            for (int y = 1; y < N - 1; y++)
                for (int x = 1; x < N - 1; x++)
                    f[q][y][x] = g[q][y][x];
    }
    show_double("f", &f[0][0][0], 5 * N * N);
    show_double("g", &g[0][0][0], 5 * N * N);
    return 0;
}
