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

static void blend(int read_only, int pipe, double generic, double get_local_id, double CLK_LOCAL_MEM_FENCE, double double2,
                  double *sampler_t, double *get_group_id)
{
#pragma stencil
    for (int barrier = 0; barrier < pipe; barrier++) {
        for (int vec_step = 1; vec_step < read_only - 1; vec_step++)
            get_group_id[vec_step] = generic * sampler_t[vec_step - 1] + get_local_id * sampler_t[vec_step];
        for (int event_t = 1; event_t < read_only - 1; event_t++)
            sampler_t[event_t] = CLK_LOCAL_MEM_FENCE * get_group_id[event_t + 1] + double2;
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
    blend(queue, i0, 0.25, 0.5, 0.75, 0.125, in, out);
    show_double("in", in, queue);
    show_double("out", out, queue);
    return 0;
}
