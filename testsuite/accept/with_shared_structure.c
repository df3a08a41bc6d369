// The functions of a step are in another file, and a header has the structure of both: a step that is called twice, an exchange.
// args: 7 23 19 ; 2 5 9 ; 0 6 6
// with: with/steps.c
#include "dump.h"
#include "with/steps.h"

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    struct grid g = {argument(argc, argv, 2, 23), argument(argc, argv, 3, 19), 0.75, 0, 0};
    int n = g.nx * g.ny;
    g.now = new_double(n, 1);
    g.next = new_double(n, 2);
    double *first = g.now;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        step(&g, g.next, g.now);
        exchange(&g);
        damp(g, t);
    }
    printf("%d\n", first == g.now);
    show_double("now", g.now, n);
    show_double("next", g.next, n);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        step(&g, g.next, g.now);
        step(&g, g.now, g.next);
    }
    show_double("now", g.now, n);
    show_double("next", g.next, n);
    return 0;
}
