// A lattice with tables of directions in subscripts, and a scratch array of the function for the equilibrium.
// form: bodies: for (int k = 0; k < 5; k++) { q[k] = f[k][y - cy[k]][x - cx[k]];
// args: 9 11 4 ; 6 8 1
#include "dump.h"

static const int cx[5] = {0, 1, 0, -1, 0}, cy[5] = {0, 0, 1, 0, -1};
static const double weight[5] = {1.0 / 3, 1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6};

static void run(int n, int m, int steps, double f[5][n][m], double g[5][n][m])
{
    double q[5], velocity[2];
    const int opposite[5] = {0, 3, 4, 1, 2};
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < m - 1; x++) {
                double density = 0;
                velocity[0] = velocity[1] = 0;
                for (int k = 0; k < 5; k++) {
                    q[k] = f[k][y - cy[k]][x - cx[k]];
                    density += q[k];
                    velocity[0] += cx[k] * q[k];
                    velocity[1] += cy[k] * q[k];
                }
                for (int k = 0; k < 5; k++) {
                    double along = cx[k] * velocity[0] + cy[k] * velocity[1];
                    q[k] -= 0.6 * (q[k] - weight[k] * (density + 3 * along));
                }
                for (int k = 0; k < 5; k++)
                    g[k][y][x] = q[k] + 0.001 * q[opposite[k]];
            }
        for (int k = 0; k < 5; k++)
            for (int y = 1; y < n - 1; y++)
                for (int x = 1; x < m - 1; x++)
                    f[k][y][x] = g[k][y][x];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), m = argument(argc, argv, 2, 11), steps = argument(argc, argv, 3, 4);
    double *f = new_double(5 * n * m, 1), *g = new_double(5 * n * m, 2);
    run(n, m, steps, (double (*)[n][m])f, (double (*)[n][m])g);
    show_double("f", f, 5 * n * m);
    show_double("g", g, 5 * n * m);
    return 0;
}
