// What only the host can tell of a step, where it keeps the loop: calls that depend on the step, elements of a pulse.
// args: 40 25 ; 17 3
#include "dump.h"
#include <math.h>
struct grid { int n; double w; float *src; int nsrc; };
static double gaussian(int t, double t0, double s) { return exp(-0.5 * pow((t0 - t) / s, 2.0)); }
static void step(struct grid *g, int t, double *u, double *v)
{
    int i;
    for (i = 1; i < g->n - 1; i++) v[i] = u[i] + 0.25 * (u[i-1] - 2 * u[i] + u[i+1]);
    v[g->n / 2] += gaussian(t, 5.0, 2.0);
    if (t < g->nsrc) v[2] += g->src[t];
    for (i = 1; i < g->n - 1; i++) u[i] = v[i] + sin(g->w * t);
}
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 25);
    double *u = new_double(n, 1), *v = new_double(n, 2);
    struct grid g = { n, 0.3, new_float(7, 3), 7 };
    int t;
#pragma stencil
    for (t = 0; t < steps; t++) {
        step(&g, t, u, v);
        if (t % 10 == 0)
            printf("%d %a\n", t, u[5]);
    }
    show_double("u", u, n);
    return 0;
}
