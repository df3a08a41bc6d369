/* uxx1 of AWP-ODC, as Listing 1 of Christen et al., PATUS, gives it (its missing parenthesis
 * restored): the velocity u1 from the stress components xx, xy, xz and the density d1.
 * 20 flops a point, 1 of them a division:
 *   d: 3 + and 1 *; dth / d: 1; c1 * (5 + and -): 6; c2 * (5 + and -): 6; their sum 1, the product
 *   with dth / d 1, += 1.
 * Idiom: a single sweep without a time loop in a function that is called every step; flat arrays
 * whose indices start at -1, through a macro; a sub-domain given by its first and last points.
 * Usage: uxx1 [nx [ny [nz [steps]]]] */
#include "awp.h"

/* Element (x, y, z) of a grid that is declared as (-1 .. nx+2, -1 .. ny+2, -1 .. nz+2). */
#define G(grid, x, y, z) grid[(((z) + 1) * (ny + 4) + (y) + 1) * (nx + 4) + (x) + 1]

static void uxx1(int nx, int ny, int nxb, int nxe, int nyb, int nye, int nzb, int nze,
                 const float *d1, float *u1, const float *xx, const float *xy, const float *xz,
                 float dth)
{
    int x, y, z;
    float c1 = 9. / 8.;
    float c2 = -1. / 24.;

#pragma stencil
    for (z = nzb; z <= nze; z++)
        for (y = nyb; y <= nye; y++)
            for (x = nxb; x <= nxe; x++) {
                float d = 0.25 * (G(d1, x, y, z) + G(d1, x, y - 1, z) + G(d1, x, y, z - 1) +
                                  G(d1, x, y - 1, z - 1));
                G(u1, x, y, z) = G(u1, x, y, z) + (dth / d) * (
                    c1 * (
                        G(xx, x, y, z) - G(xx, x - 1, y, z) +
                        G(xy, x, y, z) - G(xy, x, y - 1, z) +
                        G(xz, x, y, z) - G(xz, x, y, z - 1)) +
                    c2 * (
                        G(xx, x + 1, y, z) - G(xx, x - 2, y, z) +
                        G(xy, x, y + 1, z) - G(xy, x, y - 2, z) +
                        G(xz, x, y, z + 1) - G(xz, x, y, z - 2)));
            }
}

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 29, 1);
    int ny = argument(argc, argv, 2, 31, 1);
    int nz = argument(argc, argv, 3, 23, 1);
    int steps = argument(argc, argv, 4, 3, 0);
    float *d1 = awp_grid(nx, ny, nz, 2.5f, 41);
    float *u1 = awp_grid(nx, ny, nz, -1, 42);
    float *xx = awp_grid(nx, ny, nz, -1, 43);
    float *xy = awp_grid(nx, ny, nz, -1, 44);
    float *xz = awp_grid(nx, ny, nz, -1, 45);

    double start = seconds();
    for (int step = 0; step < steps; step++)
        uxx1(nx, ny, 1, nx, 1, ny, 1, nz, d1, u1, xx, xy, xz, 0.05f);
    report_time(start, (double)nx * ny * nz, steps);

    report("u1", u1, awp_elements(nx, ny, nz), sizeof(float));
    free(d1);
    free(u1);
    free(xx);
    free(xy);
    free(xz);
    return 0;
}
