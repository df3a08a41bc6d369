// The host keeps some values of each step in loops of its own, at places that it reads from tables.
// args: 40 30 37 ; 13 17 3 ; 20 11 40
// form: loops that the host keeps: for (int r = 0; r < RECEIVERS; r++) trace[r * steps + t] = now[place[r]];
#include "dump.h"

enum { RECEIVERS = 3 };

static void wave(double *next, const double *now, int n, int m)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            next[i * m + j] = 1.9 * now[i * m + j] - next[i * m + j] +
                              0.1 * (now[(i - 1) * m + j] + now[(i + 1) * m + j] + now[i * m + j - 1] +
                                     now[i * m + j + 1] - 4 * now[i * m + j]);
}

static void by_table(double *now, double *next, int n, int m, int steps, double *trace)
{
    int place[RECEIVERS] = { m + 1, m + m / 2, (n - 2) * m + 2 };
#pragma stencil
    for (int t = 0; t < steps; t++) {
        wave(next, now, n, m);
        double *old = now;
        now = next;
        next = old;
        for (int r = 0; r < RECEIVERS; r++)
            trace[r * steps + t] = now[place[r]];
        if (t % 10 == 3)
            printf("%d\n", t);
    }
    show_double("now", now, (size_t)(n * m));
}

static void by_rows(double *now, double *next, int n, int m, int steps, double *trace)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        wave(next, now, n, m);
        for (int r = 0; r < RECEIVERS; r++)
            trace[t * RECEIVERS + r] = next[m + 1 + r];
        double *old = now;
        now = next;
        next = old;
        if (t % 10 == 3)
            now[2 * m + 2] += trace[t * RECEIVERS];
    }
    show_double("now", now, (size_t)(n * m));
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), m = argument(argc, argv, 2, 30), steps = argument(argc, argv, 3, 37);
    size_t size = (size_t)(n * m);
    double *trace = new_double((size_t)(RECEIVERS * (steps + 1)), 3);
    by_table(new_double(size, 1), new_double(size, 2), n, m, steps, trace);
    show_double("trace", trace, (size_t)(RECEIVERS * steps));
    by_rows(new_double(size, 4), new_double(size, 5), n, m, steps, trace);
    show_double("trace", trace, (size_t)(RECEIVERS * steps));
    return 0;
}
