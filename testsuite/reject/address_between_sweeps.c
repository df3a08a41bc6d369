// Between the sweeps of a step the host gives the address of a structure to a function that stores in all of it.
#include <stdio.h>

struct grid { int n; double *u, *v; };

static void turn(struct grid *g, struct grid *other)
{
    struct grid kept = *g;
    *g = *other;
    *other = kept;
}

void f(struct grid g, struct grid other, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < g.n - 1; i++)
            g.v[i] = 0.25 * (g.u[i - 1] + 2 * g.u[i] + g.u[i + 1]);
        printf("%d\n", t);
        turn(&g, &other);
        for (int i = 1; i < g.n - 1; i++)
            g.u[i] = g.v[i];
    }
}

// remedy: s/        turn(&g, &other);\n//
// remedy: s/            g.u[i] = g.v[i];/            g.u[i] = g.v[i];\n        turn(&g, &other);/
