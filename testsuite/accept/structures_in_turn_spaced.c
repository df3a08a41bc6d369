// Structures to which pointers lead in turn hold real numbers, which are the same in all of them.
// args: 33 9 ; 12 4 ; 3 1 ; 2 5
// form: structures: b->u[i] = a->u[i] + a->dt / (a->space.dx * a->space.dx) * (a->u[i - 1] - 2 * a->u[i] + a->u[i + 1]);
#include "dump.h"

struct line {
    int n;
    struct { double dx; float wall; } space;
    double *u, dt;
};

static struct line *new_line(int n, int seed)
{
    struct line *line = malloc(sizeof *line);
    line->n = n;
    line->space.dx = 1.0 / n;
    line->space.wall = 0;
    line->u = new_double((size_t)n, seed);
    line->dt = 0.1 / n / n;
    return line;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 33), steps = argument(argc, argv, 2, 9);
    struct line *a = new_line(n, 1), *b = new_line(n, 2), *c = new_line(n, 3), *first = a;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < a->n - 1; i++)
            b->u[i] = a->u[i] + a->dt / (a->space.dx * a->space.dx) * (a->u[i - 1] - 2 * a->u[i] + a->u[i + 1]);
        b->u[0] = a->space.wall;
        struct line *old = a;
        a = b;
        b = c;
        c = old;
    }
    show_double("a", a->u, (size_t)n);
    show_double("b", b->u, (size_t)n);
    show_double("c", c->u, (size_t)n);
    printf("%d\n", a == first);
    return 0;
}
