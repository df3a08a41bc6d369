/* j3d27pt: a weighted sum over the 3 x 3 x 3 box. 53 flops a point.
 * Idiom: arrays indexed by pointer arithmetic *(a + ...), a box of macros, a copy-back loop over
 * the inner points.
 * Usage: j3d27pt [nz [ny [nx [steps]]]] */
#include "../support.h"

#define IN(dz, dy, dx) *(in + (k + (dz)) * ny * nx + (j + (dy)) * nx + i + (dx))
#define LINE(dz, dy, w0, w1, w2)                                                                   \
    (real)(w0) * IN(dz, dy, -1) + (real)(w1) * IN(dz, dy, 0) + (real)(w2) * IN(dz, dy, 1)

static void relax(real *in, real *out, int nz, int ny, int nx, int steps)
{
    int t, k, j, i;

#pragma stencil
    for (t = 0; t < steps; t++) {
        for (k = 1; k < nz - 1; k++)
            for (j = 1; j < ny - 1; j++)
                for (i = 1; i < nx - 1; i++)
                    *(out + k * ny * nx + j * nx + i) =
                        LINE(-1, -1, 0.021, 0.032, 0.023) + LINE(-1, 0, 0.034, 0.045, 0.036) +
                        LINE(-1, 1, 0.027, 0.038, 0.029) + LINE(0, -1, 0.031, 0.052, 0.033) +
                        LINE(0, 0, 0.054, 0.125, 0.056) + LINE(0, 1, 0.037, 0.058, 0.039) +
                        LINE(1, -1, 0.022, 0.030, 0.024) + LINE(1, 0, 0.035, 0.046, 0.037) +
                        LINE(1, 1, 0.020, 0.031, 0.018);
        for (k = 1; k < nz - 1; k++)
            for (j = 1; j < ny - 1; j++)
                for (i = 1; i < nx - 1; i++)
                    *(in + k * ny * nx + j * nx + i) = *(out + k * ny * nx + j * nx + i);
    }
}

int main(int argc, char **argv)
{
    int nz = argument(argc, argv, 1, 25, 1);
    int ny = argument(argc, argv, 2, 29, 1);
    int nx = argument(argc, argv, 3, 35, 1);
    int steps = argument(argc, argv, 4, 5, 0);
    size_t points = (size_t)nz * ny * nx;
    real *in = allocate(points, sizeof(real));
    real *out = allocate(points, sizeof(real));

    fill(in, nz, ny, nx, 31);
    fill(out, nz, ny, nx, 32);

    double start = seconds();
    relax(in, out, nz, ny, nx, steps);
    report_time(start, points, steps);

    report("in", in, points, sizeof(real));
    report("out", out, points, sizeof(real));
    free(in);
    free(out);
    return 0;
}
