/* j3d7pt: the explicit heat equation with its own conductivity in each direction, as a weighted sum
 * of seven points. 13 flops a point.
 * Idiom: flat arrays a[(z * ny + y) * nx + x] through an index macro, unsigned loop variables, a
 * pointer swap inside a function that returns the newest buffer.
 * Usage: j3d7pt [nz [ny [nx [steps]]]] */
#include "../support.h"

#define AT(z, y, x) (((z) * ny + (y)) * nx + (x))

typedef struct {
    real centre, above, below, north, south, west, east;
} weights;

static real *heat(unsigned steps, unsigned nz, unsigned ny, unsigned nx, real *now, real *next,
                  const weights *w)
{
    const real wc = w->centre, wa = w->above, wb = w->below;
    const real wn = w->north, ws = w->south, ww = w->west, we = w->east;

    if (nz < 3 || ny < 3 || nx < 3)
        return now;
#pragma stencil
    for (unsigned t = 0; t < steps; t++) {
        for (unsigned z = 1; z < nz - 1; z++)
            for (unsigned y = 1; y < ny - 1; y++)
                for (unsigned x = 1; x < nx - 1; x++)
                    next[AT(z, y, x)] = wc * now[AT(z, y, x)] + wa * now[AT(z - 1, y, x)] +
                                        wb * now[AT(z + 1, y, x)] + wn * now[AT(z, y - 1, x)] +
                                        ws * now[AT(z, y + 1, x)] + ww * now[AT(z, y, x - 1)] +
                                        we * now[AT(z, y, x + 1)];
        real *swap = now;
        now = next;
        next = swap;
    }
    return now;
}

int main(int argc, char **argv)
{
    int nz = argument(argc, argv, 1, 29, 1);
    int ny = argument(argc, argv, 2, 31, 1);
    int nx = argument(argc, argv, 3, 23, 1);
    int steps = argument(argc, argv, 4, 5, 0);
    size_t points = (size_t)nz * ny * nx;
    weights w = {0.37, 0.08, 0.09, 0.11, 0.12, 0.10, 0.13};
    real *first = allocate(points, sizeof(real));
    real *second = allocate(points, sizeof(real));

    fill(first, nz, ny, nx, 27);
    memcpy(second, first, points * sizeof(real));

    double start = seconds();
    real *newest = heat(steps, nz, ny, nx, first, second, &w);
    report_time(start, points, steps);

    printf("the newest buffer is the %s\n", newest == first ? "first" : "second");
    report("first", first, points, sizeof(real));
    report("second", second, points, sizeof(real));
    free(first);
    free(second);
    return 0;
}
