// The swapped pointers are global variables that other functions see.
// args: 17 5 ; 20 4
#include "dump.h"

double *now, *next;

static void show_both(int n)
{
    show_double("now", now, n);
    show_double("next", next, n);
}

static void advance(int n, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = 0.5 * (now[i - 1] + now[i + 1]);
        double *swap = now;
        now = next;
        next = swap;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    now = new_double(n, 1);
    next = new_double(n, 2);
    advance(n, steps);
    show_both(n);
    advance(n, 1);
    show_both(n);
    return 0;
}
