// Directions of a lattice in tables of `double`, alone and in structures, added to places; a function answers by returns whether
// a place is inside.
// args: 15 22 7 ; 9 8 1 ; 33 5 4
// form: subscripts: int to_x = x + e[k].x;
// form: bodies: if (x > nx - 1 || x < 0) return 0;
#include "dump.h"

struct direction {
    double x, y;
};

static const struct direction e[5] = {{0.0, 0.0}, {1.0, 0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
static const double weight[5] = {1.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0}, down[5] = {0, -0.0, 1, 0.0, -1.0};

static int is_inside(int nx, int ny, int x, int y)
{
    if (x > nx - 1 || x < 0) return 0;
    if (y > ny - 1 || y < 0) return 0;

    return 1;
}

static void collide(int nx, int ny, double (*f)[nx][ny], double (*g)[nx][ny])
{
    for (int x = 0; x < nx; x++)
        for (int y = 0; y < ny; y++) {
            double sum = 0, flow = 0;
            for (int k = 0; k < 5; k++) {
                sum += f[k][x][y];
                flow += e[k].x * f[k][x][y] + e[k].y * f[k][x][y];
            }
            for (int k = 0; k < 5; k++)
                g[k][x][y] = f[k][x][y] - 0.5 * (f[k][x][y] - weight[k] * (sum + 3.0 * flow * e[k].x));
        }
}

static void stream(int nx, int ny, double (*f)[nx][ny], double (*g)[nx][ny])
{
    for (int x = 0; x < nx; x++)
        for (int y = 0; y < ny; y++)
            for (int k = 0; k < 5; k++) {
                int to_x = x + e[k].x;
                int to_y = y + e[k].y;
                if (is_inside(nx, ny, to_x, to_y) == 1)
                    f[k][to_x][to_y] = g[k][x][y];
            }
}

static void pull(int nx, int ny, double (*f)[nx][ny], double (*g)[nx][ny])
{
#pragma stencil
    for (int x = 1; x < nx - 1; x++)
        for (int y = 1; y < ny - 1; y++)
            for (int k = 0; k < 5; k++)
                g[k][x][y] = f[k][(int)(x - e[k].x)][(long)(y - down[k] + 0.0)];
}

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 15), ny = argument(argc, argv, 2, 22), steps = argument(argc, argv, 3, 7);
    size_t count = (size_t)5 * nx * ny;
    double (*f)[nx][ny] = (double (*)[nx][ny])new_double(count, 1);
    double (*g)[nx][ny] = (double (*)[nx][ny])new_double(count, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        collide(nx, ny, f, g);
        stream(nx, ny, f, g);
    }
    pull(nx, ny, f, g);
    show_double("f", (double *)f, count);
    show_double("g", (double *)g, count);
    return 0;
}
