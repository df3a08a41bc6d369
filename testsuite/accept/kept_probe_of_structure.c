// Between the sweeps of a step the host gives the address of a structure to a function that looks at its members.
// args: 20 7 ; 33 3 ; 5 1
// form: loops that the host keeps: report(&g, t);
#include "dump.h"

struct grid { int n; double *u, *v; };

static void sweep(struct grid *g)
{
    for (int i = 1; i < g->n - 1; i++)
        g->v[i] = 0.25 * (g->u[i - 1] + 2 * g->u[i] + g->u[i + 1]);
}

static void report(struct grid *g, int t)
{
    printf("%d %.17g\n", t, g->v[2] - g->u[2]);
}

static void take(struct grid *g)
{
    for (int i = 1; i < g->n - 1; i++)
        g->u[i] = g->v[i];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 5);
    struct grid g = {n, new_double(n, 1), new_double(n, 2)};
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(&g);
        report(&g, t);
        take(&g);
    }
    show_double("u", g.u, n);
    show_double("v", g.v, n);
    return 0;
}
