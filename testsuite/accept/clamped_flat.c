// Flat temporaries that stop at the six walls of a box, in arrays that are exchanged.
// form: subscripts: int w = (x == 0) ? c : c - 1
// args: 11 7 5 4 ; 4 9 3 7 ; 2 1 3 2
#include "dump.h"

static void hotspot(float *power, float *in, float *out, int nx, int ny, int nz, int steps)
{
    int step = 0;
#pragma stencil
    for (step = 0; step < steps; step++) {
        for (int z = 0; z < nz; z++)
            for (int y = 0; y < ny; y++)
                for (int x = 0; x < nx; x++) {
                    int c = x + y * nx + z * nx * ny;
                    int w = (x == 0) ? c : c - 1, e = (x == nx - 1) ? c : c + 1;
                    int n = (y == 0) ? c : c - nx, s = (y == ny - 1) ? c : c + nx;
                    int b = (z == 0) ? c : c - nx * ny, t = (z == nz - 1) ? c : c + nx * ny;
                    out[c] = in[c] * 0.25f + in[n] * 0.125f + in[s] * 0.1f + in[e] * 0.15f + in[w] * 0.05f + in[t] * 0.2f
                             + in[b] * 0.0625f + 0.01f * power[c];
                }
        float *swap = in;
        in = out;
        out = swap;
    }
    printf("%d\n", step);
}

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 11), ny = argument(argc, argv, 2, 7), nz = argument(argc, argv, 3, 5);
    int steps = argument(argc, argv, 4, 4);
    size_t count = (size_t)nx * ny * nz;
    float *power = new_float(count, 1), *in = new_float(count, 2), *out = new_float(count, 3);
    hotspot(power, in, out, nx, ny, nz, steps);
    show_float("in", in, count);
    show_float("out", out, count);
    return 0;
}
