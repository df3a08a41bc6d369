/* xyz1 in the style of AWP-ODC's kernel (Christen et al., PATUS, Table I): the normal stresses xx,
 * yy, zz from the velocities u1, v1, w1 and Lame's moduli lam, mu.
 * 90 flops a point, 18 of them divisions:
 *   xl and xm: 2 * (9 / and 7 +) = 32; a: 1;
 *   for each of xx, yy, zz: its own difference 5, the two others together 9, a * own + xl * other
 *   3, dth * 1, += 1, in all 19.
 * Idiom: a single sweep of three statements without a time loop, called every step; scalars shared
 * by the statements, differences as macros.
 * Usage: xyz1 [nx [ny [nz [steps]]]] */
#include "awp.h"

#define C1 1.125f
#define C2 (-1.0f / 24.0f)

/* 1 / m over the eight corners of a cell, summed. */
#define INVERSES(m)                                                                                \
    (1.0f / m[z][y][x] + 1.0f / m[z][y][x + 1] + 1.0f / m[z][y - 1][x] +                           \
     1.0f / m[z][y - 1][x + 1] + 1.0f / m[z - 1][y][x] + 1.0f / m[z - 1][y][x + 1] +               \
     1.0f / m[z - 1][y - 1][x] + 1.0f / m[z - 1][y - 1][x + 1])

/* The near and the far difference of each velocity along its own axis. */
#define U_NEAR (u1[z][y][x + 1] - u1[z][y][x])
#define U_FAR (u1[z][y][x + 2] - u1[z][y][x - 1])
#define V_NEAR (v1[z][y][x] - v1[z][y - 1][x])
#define V_FAR (v1[z][y + 1][x] - v1[z][y - 2][x])
#define W_NEAR (w1[z][y][x] - w1[z - 1][y][x])
#define W_FAR (w1[z + 1][y][x] - w1[z - 2][y][x])

static void xyz1(int nx, int ny, int nz, float xx[nz + 4][ny + 4][nx + 4],
                 float yy[nz + 4][ny + 4][nx + 4], float zz[nz + 4][ny + 4][nx + 4],
                 float u1[nz + 4][ny + 4][nx + 4], float v1[nz + 4][ny + 4][nx + 4],
                 float w1[nz + 4][ny + 4][nx + 4], float lam[nz + 4][ny + 4][nx + 4],
                 float mu[nz + 4][ny + 4][nx + 4], float dth)
{
#pragma stencil
    for (int z = 2; z < nz + 2; z++)
        for (int y = 2; y < ny + 2; y++)
            for (int x = 2; x < nx + 2; x++) {
                float xl = 8.0f / INVERSES(lam);
                float xm = 16.0f / INVERSES(mu); /* twice the shear modulus */
                float a = xl + xm;

                xx[z][y][x] += dth * (a * (C1 * U_NEAR + C2 * U_FAR) +
                                      xl * (C1 * (V_NEAR + W_NEAR) + C2 * (V_FAR + W_FAR)));
                yy[z][y][x] += dth * (a * (C1 * V_NEAR + C2 * V_FAR) +
                                      xl * (C1 * (U_NEAR + W_NEAR) + C2 * (U_FAR + W_FAR)));
                zz[z][y][x] += dth * (a * (C1 * W_NEAR + C2 * W_FAR) +
                                      xl * (C1 * (U_NEAR + V_NEAR) + C2 * (U_FAR + V_FAR)));
            }
}

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 23, 1);
    int ny = argument(argc, argv, 2, 27, 1);
    int nz = argument(argc, argv, 3, 25, 1);
    int steps = argument(argc, argv, 4, 3, 0);
    size_t elements = awp_elements(nx, ny, nz);
    void *xx = awp_grid(nx, ny, nz, -1, 50), *yy = awp_grid(nx, ny, nz, -1, 51);
    void *zz = awp_grid(nx, ny, nz, -1, 52), *u1 = awp_grid(nx, ny, nz, -1, 53);
    void *v1 = awp_grid(nx, ny, nz, -1, 54), *w1 = awp_grid(nx, ny, nz, -1, 55);
    void *lam = awp_grid(nx, ny, nz, 4, 56), *mu = awp_grid(nx, ny, nz, 3, 57);

    double start = seconds();
    for (int step = 0; step < steps; step++)
        xyz1(nx, ny, nz, xx, yy, zz, u1, v1, w1, lam, mu, 0.05f);
    report_time(start, (double)nx * ny * nz, steps);

    report("xx", xx, elements, sizeof(float));
    report("yy", yy, elements, sizeof(float));
    report("zz", zz, elements, sizeof(float));

    void *grids[] = {xx, yy, zz, u1, v1, w1, lam, mu};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        free(grids[i]);
    return 0;
}
