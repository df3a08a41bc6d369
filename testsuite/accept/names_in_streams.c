// Parameters of the program with names that streamed kernels use.
// args: 37 41 5 ; 20 70 6
#include "dump.h"

static void relax(int core, int set, int steps, double halo0, double stored1, double single0, double u[core][set],
                  double v[core][set])
{
#pragma stencil strategy(stream) time_tile(2) tile(1, 16)
    for (int t = 0; t < steps; t++) {
        for (int block0 = 1; block0 < core - 1; block0++)
            for (int line0 = 1; line0 < set - 1; line0++) {
                double here0 = u[block0][line0 - 1] + u[block0][line0 + 1];
                v[block0][line0] =
                    halo0 * here0 + stored1 * (u[block0 - 1][line0] + u[block0 + 1][line0]) + single0 * u[block0][line0];
            }
        for (int row = 1; row < core - 1; row++)
            for (int lane = 1; lane < set - 1; lane++)
                u[row][lane] = v[row][lane];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), m = argument(argc, argv, 2, 41);
    size_t count = (size_t)(n * m);
    double *u = new_double(count, 1), *v = new_double(count, 2);
    relax(n, m, argument(argc, argv, 3, 5), 0.1, 0.15, 0.5, (void *)u, (void *)v);
    show_double("u", u, count);
    show_double("v", v, count);
    free(u);
    free(v);
    return 0;
}
