// Structures whose members point to grids are exchanged as a whole by way of one that is declared outside of the loop.
// form: structures: spare = a; a = b; b = spare;
// args: 6 ; 1 ; 7
#include "dump.h"

struct grid {
    int n;
    double weight;
    struct {
        double *u;
        float *v;
    } field;
};

static struct grid spare;

static void step(const struct grid *from, struct grid *to)
{
    for (int i = 1; i < from->n - 1; i++) {
        to->field.u[i] = from->weight * (from->field.u[i - 1] + from->field.u[i + 1]) + 0.1 * from->field.v[i];
        to->field.v[i] = 0.5f * (from->field.v[i - 1] + from->field.v[i + 1]) - 0.1f * (float)from->field.u[i];
    }
}

static struct grid new_grid(int n, int seed)
{
    struct grid new = {n, 0.5 / seed, {new_double((size_t)n, seed), new_float((size_t)n, seed + 2)}};
    return new;
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 6), n = 50;
    struct grid a = new_grid(n, 1), b = new_grid(n, 2);
    spare = b;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        step(&a, &b);
        spare = a; a = b; b = spare;
    }
    show_double("a.u", a.field.u, (size_t)n);
    show_float("a.v", a.field.v, (size_t)n);
    show_double("b.u", b.field.u, (size_t)n);
    show_double("spare.u", spare.field.u, (size_t)n);
    printf("%g %g %g\n", a.weight, b.weight, spare.weight);
    return 0;
}
