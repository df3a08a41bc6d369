// Populations that are pulled across a periodic box of flat memory with unsigned sizes.
// form: subscripts: s = (y > 0 ? y : ny) - 1;
// args: 9 7 4 ; 2 3 5 ; 1 4 3
// notes: no time tiles
#include "dump.h"

#define AT(q, y, x) (((size_t)(q) * ny + (y)) * nx + (x))

static void collide(size_t nx, size_t ny, int steps, double omega, double *f, double *g)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < nx; x++) {
                size_t e = (x + 1) % nx, w = (x + nx - 1) % nx, n = y + 1 == ny ? 0 : y + 1, s = (y > 0 ? y : ny) - 1;
                double rest = f[AT(0, y, x)], east = f[AT(1, y, w)], north = f[AT(2, s, x)], west = f[AT(3, y, e)];
                double south = f[AT(4, n, x)], corner = f[AT(5, s, w)];
                double density = rest + east + north + west + south + corner;
                g[AT(0, y, x)] = rest + omega * (density / 4 - rest);
                g[AT(1, y, x)] = east + omega * (density / 8 - east);
                g[AT(2, y, x)] = north + omega * (density / 8 - north);
                g[AT(3, y, x)] = west + omega * (density / 8 - west);
                g[AT(4, y, x)] = south + omega * (density / 8 - south);
                g[AT(5, y, x)] = corner + omega * (density / 4 - corner);
            }
        double *swap = f;
        f = g;
        g = swap;
    }
}

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 9), ny = argument(argc, argv, 2, 7), steps = argument(argc, argv, 3, 4);
    size_t count = (size_t)nx * ny * 6;
    double *f = new_double(count, 1), *g = new_double(count, 2);
    collide((size_t)nx, (size_t)ny, steps, 0.75, f, g);
    show_double("f", f, count);
    show_double("g", g, count);
    return 0;
}
