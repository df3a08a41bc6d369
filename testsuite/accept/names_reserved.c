// Names of the program that OpenCL C reserves or a generated program might use.
// args: 37 5 ; 20 3
#include "dump.h"

static void relax(int global, int local, double *kernel, double *image2d_t, double half)
{
#pragma stencil
    for (int get_global_id = 0; get_global_id < local; get_global_id++) {
        for (int barrier = 1; barrier < global - 1; barrier++) {
            double double4 = kernel[barrier - 1], constant = kernel[barrier + 1];
            image2d_t[barrier] = half * (double4 + constant);
        }
        for (int event = 1; event < global - 1; event++)
            kernel[event] = image2d_t[event];
    }
}

int main(int argc, char **argv)
{
    int queue = argument(argc, argv, 1, 37), i0 = argument(argc, argv, 2, 5);
    double *in = new_double(queue, 1), *out = new_double(queue, 2);
    int uchar = 0, private = 3;
#pragma stencil
    for (int uint = uchar; uint < i0; uint++) {
        for (int x = 1; x < queue - 1; x++)
            out[x] = in[x] + 0.1 * private * in[x + 1];
        for (int ulong = 1; ulong < queue - 1; ulong++)
            in[ulong] = 0.5 * out[ulong];
    }
    relax(queue, i0, in, out, 0.5);
    show_double("in", in, queue);
    show_double("out", out, queue);
    return 0;
}
