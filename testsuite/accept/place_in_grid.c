// Elements of flat grids at places that are one number each: a source and records, in two and three dimensions.
// form: records and sources: now[where->source] += pulse[t];
// form: records and sources: trace[2 * t + 1] = now[where->receiver + 1];
// args: 17 9 5 ; 6 23 7 ; 5 5 1 ; 6 6 0
#include "dump.h"

struct places {
    int source, receiver;
};

static void wave(int n, int m, int steps, float *old, float *now, const struct places *where, const float *pulse,
                 float *trace)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                old[i * m + j] = 1.5f * now[i * m + j] - old[i * m + j] +
                                 0.1f * (now[(i - 1) * m + j] + now[i * m + j + 1] + now[(i + 1) * m + j]);
        float *swap = old;
        old = now;
        now = swap;
        now[where->source] += pulse[t];
        trace[2 * t] = now[where->receiver];
        trace[2 * t + 1] = now[where->receiver + 1];
    }
    show_float("old", old, (size_t)n * m);
    show_float("now", now, (size_t)n * m);
}

static void box(size_t n, size_t m, size_t p, int steps, double *u, double *v, size_t place, double *trace)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        trace[t] = u[place];
        for (size_t i = 1; i < n - 1; i++)
            for (size_t j = 1; j < m - 1; j++)
                for (size_t k = 1; k < p - 1; k++)
                    v[(i * m + j) * p + k] = 0.3 * (u[((i - 1) * m + j) * p + k] + u[(i * m + j + 1) * p + k] +
                                                    u[(i * m + j) * p + k - 1]);
        double *swap = u;
        u = v;
        v = swap;
    }
    show_double("u", u, n * m * p);
    show_double("v", v, n * m * p);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    size_t size = (size_t)n * m;
    float *pulse = new_float((size_t)steps + 1, 3), *trace = new_float(2 * (size_t)steps + 1, 4);
    struct places inside = { 2 * m + 2, 3 * m + 1 }, in_one_row = { m + 3, 2 };
    wave(n, m, steps, new_float(size, 1), new_float(size, 2), &inside, pulse, trace);
    show_float("trace", trace, 2 * (size_t)steps + 1);
    wave(n, m, steps, new_float(size, 5), new_float(size, 6), &in_one_row, pulse, trace);
    show_float("trace", trace, 2 * (size_t)steps + 1);
    double *times = new_double((size_t)steps + 1, 7);
    for (size_t place = 0; place < size * 4; place += size + 1) {
        box((size_t)n, (size_t)m, 4, steps, new_double(size * 4, 8), new_double(size * 4, 9), place, times);
        show_double("times", times, (size_t)steps + 1);
    }
    return 0;
}
