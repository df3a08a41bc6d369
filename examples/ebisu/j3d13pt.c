/* j3d13pt: a weighted sum over a star of radius 2. 25 flops a point.
 * Idiom: pointers to two-dimensional arrays which are swapped, a sum that grows from scalar to
 * scalar.
 * Usage: j3d13pt [nz [ny [nx [steps]]]] */
#include "../support.h"

#define INNER(v, n) int v = 2; v < (n) - 2; v++

int main(int argc, char **argv)
{
    int nz = argument(argc, argv, 1, 31, 1);
    int ny = argument(argc, argv, 2, 27, 1);
    int nx = argument(argc, argv, 3, 29, 1);
    int steps = argument(argc, argv, 4, 5, 0);
    size_t points = (size_t)nz * ny * nx;
    real(*u)[ny][nx] = allocate(points, sizeof(real));
    real(*v)[ny][nx] = allocate(points, sizeof(real));

    fill(&u[0][0][0], nz, ny, nx, 28);
    fill(&v[0][0][0], nz, ny, nx, 29);

    double start = seconds();
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (INNER(z, nz)) {
            for (INNER(y, ny)) {
                for (INNER(x, nx)) {
                    real above = (real)0.04 * u[z - 2][y][x] + (real)0.09 * u[z - 1][y][x];
                    real north = above + (real)0.05 * u[z][y - 2][x] + (real)0.11 * u[z][y - 1][x];
                    real line = north + (real)0.02 * u[z][y][x - 2] + (real)0.12 * u[z][y][x - 1] +
                                (real)0.22 * u[z][y][x] + (real)0.07 * u[z][y][x + 1] +
                                (real)0.01 * u[z][y][x + 2];
                    real south = line + (real)0.08 * u[z][y + 1][x] + (real)0.06 * u[z][y + 2][x];
                    v[z][y][x] = south + (real)0.10 * u[z + 1][y][x] + (real)0.03 * u[z + 2][y][x];
                }
            }
        }
        real(*swap)[ny][nx] = u;
        u = v;
        v = swap;
    }
    report_time(start, points, steps);

    report("u", u, points, sizeof(real));
    report("v", v, points, sizeof(real));
    free(u);
    free(v);
    return 0;
}
