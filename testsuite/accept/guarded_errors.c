// Called functions that sweep check what they are given: they write a message on standard error, and end the program or not.
// form: calls: if (!g->coef) { fprintf(stderr, "no coefficients\n"); exit(1); }
// form: calls: else perror("unknown boundary");
// form: loops that the host keeps: source(&grid, t);
// args: 37 5 ; 20 4 ; 33 1 ; 16 0
#include <errno.h>
#include <math.h>
#include "dump.h"

enum { FIXED, PERIODIC };

struct grid {
    int n, boundary;
    double *u, *v, *coef;
};

static double pulse(const struct grid *g, int t)
{
    if (g->n <= 0) {
        fputs("pulse: the grid has no size\n", stderr);
        exit(2);
    }
    return 0.5 / (t + 1);
}

static void update(struct grid *g)
{
    if (!g->coef) { fprintf(stderr, "no coefficients\n"); exit(1); }
    for (int i = 1; i < g->n - 1; i++)
        g->v[i] += g->coef[i] * (g->u[i - 1] - 2 * g->u[i] + g->u[i + 1]);
    if (g->boundary == FIXED) {
        g->v[0] = 0;
        g->v[g->n - 1] = 0;
    } else if (g->boundary == PERIODIC) {
        g->v[0] = g->v[g->n - 2];
        g->v[g->n - 1] = g->v[1];
    } else perror("unknown boundary");
}

static void source(struct grid *g, int t)
{
    if (g->n < 8) {
        fprintf(stderr, "source: the grid is too small\n");
        exit(1);
    }
    g->u[g->n / 2] += pulse(g, t);
}

static void advance(struct grid *g)
{
    for (int i = 0; i < g->n; i++)
        g->u[i] = 0.9 * g->v[i];
}

static void step(struct grid *g)
{
    update(g);
    advance(g);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    struct grid grid = { n, PERIODIC, new_double(n, 1), new_double(n, 2), new_double(n, 3) };
#pragma stencil
    for (int t = 0; t < steps; t++)
        step(&grid);
    show_double("u", grid.u, n);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        update(&grid);
        source(&grid, t);
        if (grid.boundary == PERIODIC)
            advance(&grid);
        else {
            fprintf(stderr, "unknown boundary\n");
            exit(3);
        }
        if (t % 2 == 0)
            printf("%d %.17g\n", t, grid.u[3]);
    }
    show_double("u", grid.u, n);
    show_double("v", grid.v, n);
    return 0;
}
