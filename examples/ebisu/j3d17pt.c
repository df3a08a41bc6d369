/* j3d17pt: a weighted sum of a point, the eight around it in its plane and the four corners of the
 * 3 x 3 x 3 box in each neighbouring plane. 33 flops a point.
 * Idiom: one array A[2][nz][ny][nx] indexed by the time step's parity, a time loop from 1 to steps.
 * Usage: j3d17pt [nz [ny [nx [steps]]]] */
#include "../support.h"

#define OLD A[(t - 1) % 2]
#define NEW A[t % 2]

static void sweep(int steps, int nz, int ny, int nx, real (*A)[nz][ny][nx])
{
    int t, z, y, x;

#pragma stencil
    for (t = 1; t <= steps; ++t)
        for (z = 1; z < nz - 1; ++z)
            for (y = 1; y < ny - 1; ++y)
                for (x = 1; x < nx - 1; ++x)
                    NEW[z][y][x] =
                        (real)0.040 * OLD[z - 1][y - 1][x - 1] +
                        (real)0.045 * OLD[z - 1][y - 1][x + 1] +
                        (real)0.050 * OLD[z - 1][y + 1][x - 1] +
                        (real)0.055 * OLD[z - 1][y + 1][x + 1] +
                        (real)0.051 * OLD[z][y - 1][x - 1] + (real)0.071 * OLD[z][y - 1][x] +
                        (real)0.061 * OLD[z][y - 1][x + 1] + (real)0.081 * OLD[z][y][x - 1] +
                        (real)0.101 * OLD[z][y][x] + (real)0.082 * OLD[z][y][x + 1] +
                        (real)0.052 * OLD[z][y + 1][x - 1] + (real)0.072 * OLD[z][y + 1][x] +
                        (real)0.062 * OLD[z][y + 1][x + 1] +
                        (real)0.039 * OLD[z + 1][y - 1][x - 1] +
                        (real)0.044 * OLD[z + 1][y - 1][x + 1] +
                        (real)0.049 * OLD[z + 1][y + 1][x - 1] +
                        (real)0.043 * OLD[z + 1][y + 1][x + 1];
}

int main(int argc, char **argv)
{
    int nz = argument(argc, argv, 1, 27, 1);
    int ny = argument(argc, argv, 2, 33, 1);
    int nx = argument(argc, argv, 3, 25, 1);
    int steps = argument(argc, argv, 4, 5, 0);
    size_t points = (size_t)nz * ny * nx;
    real(*A)[nz][ny][nx] = allocate(2 * points, sizeof(real));

    fill(&A[0][0][0][0], nz, ny, nx, 30);
    memcpy(A[1], A[0], points * sizeof(real));

    double start = seconds();
    sweep(steps, nz, ny, nx, A);
    report_time(start, points, steps);

    report("even", A[0], points, sizeof(real));
    report("odd", A[1], points, sizeof(real));
    free(A);
    return 0;
}
