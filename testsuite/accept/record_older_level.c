// Records of what a step begins with, before its sweep, and of older levels, behind the exchange of the arrays.
// form: records and sources: trace[t] = now[place];
// form: records and sources: trace[t] = old[place];
// args: 17 9 5 ; 6 23 7 ; 5 5 1 ; 6 6 0
#include "dump.h"

static void heat(int n, int m, int steps, double *now, double *next, int place, double *trace)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        trace[t] = now[place];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i * m + j] = 0.25 * (now[(i - 1) * m + j] + now[(i + 1) * m + j] +
                                          now[i * m + j - 1] + now[i * m + j + 1]);
        double *swap = now;
        now = next;
        next = swap;
    }
    show_double("now", now, (size_t)n * m);
    show_double("next", next, (size_t)n * m);
}

static void wave(int n, int m, int steps, double *old, double *now, double *next, int place, double *trace)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i * m + j] = 1.5 * now[i * m + j] - old[i * m + j] +
                                  0.1 * (now[(i - 1) * m + j] + now[i * m + j + 1]);
        double *swap = old;
        old = now;
        now = next;
        next = swap;
        trace[t] = old[place];
    }
    show_double("old", old, (size_t)n * m);
    show_double("now", now, (size_t)n * m);
    show_double("next", next, (size_t)n * m);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    size_t size = (size_t)n * m;
    double *trace = new_double((size_t)steps + 1, 9);
    heat(n, m, steps, new_double(size, 1), new_double(size, 2), m + 2, trace);
    show_double("trace", trace, (size_t)steps + 1);
    wave(n, m, steps, new_double(size, 3), new_double(size, 4), new_double(size, 5), 2 * m + 1, trace);
    show_double("trace", trace, (size_t)steps + 1);
    /* A border, which is another one in each array. */
    heat(n, m, steps, new_double(size, 6), new_double(size, 7), m - 1, trace);
    show_double("trace", trace, (size_t)steps + 1);
    return 0;
}
