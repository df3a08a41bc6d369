// The host ends the program in its loop, also between the legs of a step: what the program does at its end finds the arrays.
// args: 20 12 -1 -1 ; 20 12 7 -1 ; 20 12 0 -1 ; 20 12 -1 5 ; 20 40 38 -1
// with: with/inspect.c
// form: loops that the host keeps: exit(0);
#include "dump.h"

int inspect(const double *a, int n, int step, int last);

static double *u, *v;
static int n, legs, steps_done;

static void report(void)
{
    printf("%d %d\n", steps_done, legs);
    show_double("u", u, (size_t)n);
    show_double("v", v, (size_t)n);
}

static void simulate(int steps, int last, int last_within)
{
    int i, t;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        legs++;
        if (t == last_within)
            exit(0);
        for (i = 1; i < n - 1; i++)
            u[i] = v[i] + 0.01 * v[i + 1];
        inspect(u, n, t, last);
        steps_done++;
    }
}

int main(int argc, char **argv)
{
    n = argument(argc, argv, 1, 20);
    u = new_double((size_t)n, 1);
    v = new_double((size_t)n, 2);
    if (atexit(report) != 0)
        return 1;
    simulate(argument(argc, argv, 2, 12), argc > 3 ? atoi(argv[3]) : -1, argc > 4 ? atoi(argv[4]) : -1);
    simulate(2, -1, -1);
    return 0;
}
