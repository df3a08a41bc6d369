// Cells of a lattice whose populations are stored in branches for walls, for a moving lid and for the fluid, in a function that returns early.
// form: bodies: if (is_wall) { out[0] = c; out[1] = w; out[2] = e; out[3] = s; out[4] = n; return; }
// args: 5 19 23 ; 1 4 4 ; 2 7 3
#include "dump.h"

static double lid = 0.125;

static void cell(double c, double e, double w, double n, double s, double *restrict out, int is_wall, int is_lid)
{
    double rho, u, v;
    if (is_wall) {
        out[0] = c;
        out[1] = w;
        out[2] = e;
        out[3] = s;
        out[4] = n;
        return;
    }
    rho = c + e + w + n + s;
    u = (e - w) / rho;
    v = (n - s) / rho;
    if (is_lid) {
        u = lid;
        v = 0.0;
    }
    out[0] = 0.4 * c + 0.3 * rho * (1.0 - u * u - v * v);
    out[1] = 0.4 * e + 0.1 * rho * (1.0 + 3.0 * u);
    out[2] = 0.4 * w + 0.1 * rho * (1.0 - 3.0 * u);
    out[3] = 0.4 * n + 0.1 * rho * (1.0 + 3.0 * v);
    out[4] = 0.4 * s + 0.1 * rho * (1.0 - 3.0 * v);
}

static void run(int ny, int nx, int steps, double (*f)[ny][nx][5], double (*walls)[nx][5])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int y = 1; y < ny - 1; y++)
            for (int x = 1; x < nx - 1; x++)
                cell(f[t % 2][y][x][0], f[t % 2][y][x - 1][1], f[t % 2][y][x + 1][2], f[t % 2][y - 1][x][3],
                     f[t % 2][y + 1][x][4], f[(t + 1) % 2][y][x],
                     ((y == 1 || y == ny - 2) && x > 2) || ((x == 1 || x == nx - 2) && y > 2), y == ny - 3 && x > 1);
        for (int y = 1; y < ny - 1; y++)
            for (int x = 1; x < nx - 1; x++) {
                if (y == 1) {
                    walls[y][x][0] = t;
                    walls[y][x][1] = f[t % 2][y - 1][x][1];
                    walls[y][x][2] = 2;
                    walls[y][x][3] = f[t % 2][y - 1][x][3];
                    walls[y][x][4] = 4;
                } else if (x == 1) {
                    walls[y][x][0] = f[t % 2][y][x - 1][0];
                    walls[y][x][1] = 1;
                    walls[y][x][2] = f[t % 2][y][x - 1][2];
                    walls[y][x][3] = 3;
                    walls[y][x][4] = t;
                } else {
                    walls[y][x][0] += 0.5;
                    walls[y][x][1] += 1.5;
                    walls[y][x][2] *= 0.5;
                    walls[y][x][3] -= 1;
                    walls[y][x][4] = f[t % 2][y + 1][x + 1][4];
                }
            }
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5), ny = argument(argc, argv, 2, 19), nx = argument(argc, argv, 3, 23);
    double *f = new_double((size_t)10 * ny * nx, 1), *walls = new_double((size_t)5 * ny * nx, 2);
    run(ny, nx, steps, (double (*)[ny][nx][5])f, (double (*)[nx][5])walls);
    show_double("f", f, (size_t)10 * ny * nx);
    show_double("walls", walls, (size_t)5 * ny * nx);
    return 0;
}
