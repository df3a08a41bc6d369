// Behind what the host does in a step, one statement exchanges pointers, one after the other: variables, and members.
// args: 14 9 ; 14 0 ; 3 4 ; 5 1
// form: loops that the host keeps: hold = a, a = b, b = hold;
// form: loops that the host keeps: (g->spare = g->now, (g->now = g->next, g->next = g->spare));
#include "dump.h"

static void by_pointers(int n, int steps, double *a, double *b)
{
    double *hold;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
        if (t % 4 == 1) printf("%d %.17g\n", t, b[n / 2]);
        hold = a, a = b, b = hold;
    }
    show_double("last", a, (size_t)n);
}

struct grids {
    double *now, *next, *spare;
};

static void by_members(int n, int steps, struct grids *g)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) g->next[i] = 0.25 * g->now[i - 1] + 0.5 * g->now[i] + 0.25 * g->now[i + 1];
        if (t % 4 == 2) printf("%d %.17g\n", t, g->next[n / 2]);
        (g->spare = g->now, (g->now = g->next, g->next = g->spare));
    }
    show_double("last", g->now, (size_t)n);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 14), steps = argument(argc, argv, 2, 9);
    double *a = new_double((size_t)n, 1), *b = new_double((size_t)n, 2);
    struct grids g = { a, b, NULL };
    by_pointers(n, steps, a, b);
    show_double("a", a, (size_t)n);
    show_double("b", b, (size_t)n);
    by_members(n, steps, &g);
    show_double("a", a, (size_t)n);
    show_double("b", b, (size_t)n);
    return 0;
}
