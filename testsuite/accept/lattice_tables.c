// The directions of a lattice in tables that are not const, on a grid whose sides are small constants; cells that are alive in a
// grid of integers.
// form: subscripts: g[to][at][k] = f[i][j][k];
// args: 6 ; 1
#include "dump.h"

enum { NX = 10, NY = 9 };

int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static double f[NX][NY][9], g[NX][NY][9];

static void flow(int steps, const double *wall)
{
    double w[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NY; j++) {
                double rho = 0, ux = 0;
                for (int k = 0; k < 9; k++) {
                    rho += f[i][j][k];
                    ux += cx[k] * f[i][j][k];
                }
                for (int k = 0; k < 9; k++)
                    f[i][j][k] += 0.6 * (w[k] * (rho + 3 * cx[k] * ux) - f[i][j][k]);
            }
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NY; j++)
                for (int k = 0; k < 9; k++) {
                    int to = (i + cx[k] + NX) % NX, at = (j + cy[k] + NY) % NY;
                    g[to][at][k] = f[i][j][k];
                }
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NY; j++)
                for (int k = 0; k < 9; k++)
                    f[i][j][k] = wall[i * NY + j] > 0.8 ? g[i][j][opposite[k]] : g[i][j][k];
    }
}

static void live(int n, int m, int steps, int *cells, int *next)
{
    int shift[2][4] = {{-1, 1, 0, 0}, {0, 0, -1, 1}};
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int around = 0;
                for (int k = 0; k < 4; k++)
                    around += cells[(i + shift[0][k]) * m + j + shift[1][k]];
                next[i * m + j] = around % 5;
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                cells[i * m + j] = next[i * m + j];
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 6), n = 11, m = 8;
    double *first = new_double(NX * NY * 9, 1), *wall = new_double(NX * NY, 2);
    int *cells = new_int((size_t)n * m, 3), *next = new_int((size_t)n * m, 4);
    memcpy(f, first, sizeof f);
    flow(steps, wall);
    live(n, m, steps, cells, next);
    show_double("f", &f[0][0][0], NX * NY * 9);
    show_double("g", &g[0][0][0], NX * NY * 9);
    show_int("cells", cells, (size_t)n * m);
    return 0;
}
