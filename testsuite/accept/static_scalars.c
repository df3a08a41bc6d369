// Static scalars of a function that a step calls: each call gives them values before it looks at them, or nothing assigns them.
// form: calls: static double width, delay; width = 3.0; delay = 2.0 * width;
// args: 40 12 ; 9 3 ; 4 1
#include "dump.h"

static double pulse(int t)
{
    static double width, delay;
    width = 3.0;
    delay = 2.0 * width;
    static double height = 0.5;
    return height * (t - delay) / (width * width);
}

static void advance(int n, double *e, double *h, int t)
{
    static double half;
    half = 0.5;
    for (int i = 0; i < n - 1; i++)
        h[i] = h[i] + half * (e[i + 1] - e[i]);
    for (int i = 1; i < n; i++)
        e[i] = e[i] + half * (h[i] - h[i - 1]);
    e[n / 2] += pulse(t);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 12);
    double e[n], h[n];
    fill_double(e, n, 1);
    fill_double(h, n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++)
        advance(n, e, h, t);
    show_double("e", e, n);
    show_double("h", h, n);
    return 0;
}
