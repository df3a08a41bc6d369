/* xy1 in the style of AWP-ODC's kernel (Christen et al., PATUS, Table I): the stress component xy
 * from the velocities u1, v1 and the shear modulus mu, which is averaged harmonically.
 * 16 flops a point, 3 of them divisions:
 *   xmu: 3 / and 1 +; c1 * (3 + and -): 4; c2 * (3 + and -): 4; their sum 1; dth * xmu * sum: 2;
 *   += 1.
 * Idiom: a field that accumulates in place in a time loop, array parameters whose extents are
 * expressions, coefficients named by macros.
 * Usage: xy1 [nx [ny [nz [steps]]]] */
#include "awp.h"

#define C1 1.125f
#define C2 (-1.0f / 24.0f)

static void xy1(int steps, int nx, int ny, int nz, float xy[nz + 4][ny + 4][nx + 4],
                float u1[nz + 4][ny + 4][nx + 4], float v1[nz + 4][ny + 4][nx + 4],
                float mu[nz + 4][ny + 4][nx + 4], float dth)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int z = 2; z < nz + 2; z++)
            for (int y = 2; y < ny + 2; y++)
                for (int x = 2; x < nx + 2; x++) {
                    float xmu = 2.0f / (1.0f / mu[z][y][x] + 1.0f / mu[z - 1][y][x]);
                    float strain = C1 * (u1[z][y + 1][x] - u1[z][y][x] +
                                         v1[z][y][x] - v1[z][y][x - 1]) +
                                   C2 * (u1[z][y + 2][x] - u1[z][y - 1][x] +
                                         v1[z][y][x + 1] - v1[z][y][x - 2]);
                    xy[z][y][x] += dth * xmu * strain;
                }
}

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 27, 1);
    int ny = argument(argc, argv, 2, 25, 1);
    int nz = argument(argc, argv, 3, 31, 1);
    int steps = argument(argc, argv, 4, 5, 0);
    void *xy = awp_grid(nx, ny, nz, -1, 46);
    void *u1 = awp_grid(nx, ny, nz, -1, 47);
    void *v1 = awp_grid(nx, ny, nz, -1, 48);
    void *mu = awp_grid(nx, ny, nz, 3, 49);

    double start = seconds();
    xy1(steps, nx, ny, nz, xy, u1, v1, mu, 0.05f);
    report_time(start, (double)nx * ny * nz, steps);

    report("xy", xy, awp_elements(nx, ny, nz), sizeof(float));
    free(xy);
    free(u1);
    free(v1);
    free(mu);
    return 0;
}
