// The steps count in a second structure, which may be the first one for all that the text says.
// args: 40 9 ; 12 1 ; 33 26
// form: scalars by rule: other->time++;
#include <math.h>

#include "dump.h"

typedef struct {
    double *e, *h;
    int n, time;
} grid;

static double pulse(double time)
{
    double arg = 0.15 * time - 1.0;
    return (1.0 - arg * arg) * exp(-arg);
}

static void step(grid *g, grid *other)
{
    for (int i = 1; i < g->n; i++)
        g->e[i] += 0.5 * (g->h[i] - g->h[i - 1]);
    other->e[0] = pulse(other->time);
    other->time++;
    for (int i = 0; i < g->n - 1; i++)
        g->h[i] += 0.5 * (g->e[i + 1] - g->e[i]) + other->e[0];
}

static void show(const grid *g)
{
    show_double("e", g->e, (size_t)g->n);
    show_double("h", g->h, (size_t)g->n);
    printf("%d\n", g->time);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 9);
    grid g = { new_double((size_t)n, 1), new_double((size_t)n, 2), n, 0 };
    grid other = { new_double((size_t)n, 3), new_double((size_t)n, 4), n, 2 };
#pragma stencil
    for (g.time = 0; g.time < steps; g.time++)
        step(&g, &other);
    show(&g);
    grid *of_time = &g, *of_pulse = &other;
#pragma stencil
    for (of_time->time = 0; of_time->time < steps; of_time->time++) {
        step(of_time, of_pulse);
        if (of_time->time % 7 == 5)
            show(of_time);
    }
    show(of_time);
    show(of_pulse);
    return 0;
}
