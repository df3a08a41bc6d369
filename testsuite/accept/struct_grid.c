// A grid is a structure: sizes, coefficients and arrays are members, and a function exchanges two of them.
// form: structures: g->next[i * ny + j] = g->c.decay * (g->now[(i - 1) * ny + j]
// form: structures: swap(&g->now, &(*g).next);
// form: structures: cool(g, g.now);
// args: 7 23 19 ; 2 5 9 ; 0 6 6
#include "dump.h"

struct coefficients {
    double decay;
    float weight[3];
};

typedef struct grid {
    struct { int nx, ny; } size;
    struct coefficients c;
    double *now, *next;
    const char *title;
    double time;
} grid;

static void sweep(const grid *g)
{
    int ny = g->size.ny;
    for (int i = 1; i < g->size.nx - 1; i++)
        for (int j = 1; j < ny - 1; j++)
            g->next[i * ny + j] = g->c.decay * (g->now[(i - 1) * ny + j] + g->now[i * ny + j + 1]);
}

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

static void advance(grid *g)
{
    sweep(g);
    swap(&g->now, &(*g).next);
}

static void damp(struct coefficients c, int n, double *a)
{
    c.decay *= 0.5;
    for (int i = 0; i < n; i++)
        a[i] *= c.decay;
}

static void cool(const grid g, double *a)
{
    damp(g.c, g.size.nx * g.size.ny, a);
}

static void settle(const grid g)
{
    cool(g, g.now);
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    grid g = { .size = { argument(argc, argv, 2, 23), argument(argc, argv, 3, 19) }, .c = { .decay = 0.49 } };
    int n = g.size.nx * g.size.ny;
    g.now = new_double(n, 1);
    g.next = new_double(n, 2);
    double *first = g.now;
#pragma stencil
    for (int t = 0; t < steps; t++)
        advance(&g);
    printf("%d\n", first == g.now);
    show_double("now", g.now, n);
    show_double("next", g.next, n);
#pragma stencil
    for (int t = 0; t < steps; t++)
        settle(g);
    show_double("damped", g.now, n);
    return 0;
}
