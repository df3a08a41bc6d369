// The host looks at structures that pointers lead to in turn, and ends the loop by what a step folds.
// args: 33 9 ; 60 40 ; 12 1
// form: loops that the host keeps: swap(&now, &next);
#include "dump.h"
#include <math.h>

typedef struct { int n, steps; double *u; } state;

static void swap(state **one, state **other)
{
    state *old = *one;
    *one = *other;
    *other = old;
}

static double step(const state *now, state *next)
{
    double change = 0;
    for (int i = 1; i < now->n - 1; i++) {
        next->u[i] = 0.5 * (now->u[i - 1] + now->u[i + 1]);
        change += fabs(next->u[i] - now->u[i]);
    }
    return change;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 33), steps = argument(argc, argv, 2, 9);
    state one = { n, 0, new_double((size_t)n, 1) }, other = { n, 0, new_double((size_t)n, 2) };
    state *now = &one, *next = &other;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double change = step(now, next);
        swap(&now, &next);
        if (t % 4 == 3) {
            now->steps = t;
            printf("%d %a %a\n", t, change, now->u[n / 2]);
        }
        if (change < 0.3)
            break;
    }
    printf("%d %d %d\n", now == &one, one.steps, other.steps);
    show_double("one", one.u, (size_t)n);
    show_double("other", other.u, (size_t)n);
    return 0;
}
