// What each step leaves is kept beside the sweeps: whole grids by a sweep of its own, a value of each point in the sweep.
// args: 30 9 ; 7 2 ; 77 19
#include "dump.h"

static void flow(int nx, int nt, double *h, double *half, double *all, double *slope, double dt)
{
#pragma stencil
    for (int it = 1; it <= nt; it++) {
        for (int i = 0; i < nx - 1; i++)
            half[i] = (h[i] + h[i + 1]) / 2.0;
        for (int i = 1; i < nx - 1; i++) {
            double d = half[i] - half[i - 1];
            slope[(it - 1) * nx + i] = d;
            h[i] = h[i] - dt * d;
        }
        h[0] = h[1];
        h[nx - 1] = h[nx - 2];
        for (int i = 0; i < nx; i++)
            all[i + it * nx] = h[i];
    }
}

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 17), nt = argument(argc, argv, 2, 5);
    double *h = new_double(nx, 1), *half = new_double(nx, 2);
    double *all = new_double((size_t)(nt + 1) * nx, 3), *slope = new_double((size_t)nt * nx, 4);
    flow(nx, nt, h, half, all, slope, 0.1);
    show_double("h", h, nx);
    show_double("half", half, nx);
    show_double("all", all, (size_t)(nt + 1) * nx);
    show_double("slope", slope, (size_t)nt * nx);
    return 0;
}
