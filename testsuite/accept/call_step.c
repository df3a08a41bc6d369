// A step is functions of the program: a sweep, boundaries, a point function that returns early; the arrays take turns.
// form: calls: step(v, u); step(u, v);
// form: calls: boundary(to);
// form: calls: if (x < -bound) return -bound;
// args: 7 23 19 ; 1 5 9 ; 12 40 31
#include "dump.h"

static int nx, ny;
static double bound = 0.4;

static double limited(double x)
{
    if (x < -bound)
        return -bound;
    if (x > bound)
        return bound;
    return x;
}

static inline double mean(const double *p, int row)
{
    return 0.25 * (p[-1] + p[1] + p[-row] + p[row]);
}

static void boundary(double *u)
{
    for (int i = 0; i < nx; i++) {
        u[i * ny] = u[i * ny + 1];
        u[i * ny + ny - 1] = 0.5 * u[i * ny + ny - 2];
    }
}

static void step(double *to, const double *from)
{
    int i, j;
    for (i = 1; i < nx - 1; i++)
        for (j = 1; j < ny - 1; j++) {
            const double *here = &from[i * ny + j];
            to[i * ny + j] = limited(1.25 * mean(here, ny) - 0.1 * *here);
        }
    boundary(to);
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    nx = argument(argc, argv, 2, 23);
    ny = argument(argc, argv, 3, 19);
    double *u = new_double(nx * ny, 1), *v = new_double(nx * ny, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        step(v, u);
        step(u, v);
    }
    show_double("u", u, nx * ny);
    show_double("v", v, nx * ny);
    return 0;
}
