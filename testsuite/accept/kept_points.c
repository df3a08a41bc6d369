// Sources at single elements, behind the sweeps of a step and before them, belong to the step: the call brings their values.
// args: 90 60 ; 40 7
// form: loops that the host keeps: e[at] += exp(-(t - 30.) * (t - 30.) / 100.);
// form: loops that the host keeps: if (t < 20) h[0] = pulse[t];
#include <math.h>
#include "dump.h"

static double ricker(int t)
{
    double by = 3.14 * (t - 20) / 40;
    by = by * by;
    return (1 - 2 * by) * exp(-by);
}

int main(int argc, char **argv)
{
    double grows = 0;
    int n = argument(argc, argv, 1, 90), steps = argument(argc, argv, 2, 60), at = n / 2, t, i;
    double *e = new_double(n, 1), *h = new_double(n, 2), *pulse = new_double(steps, 3);
#pragma stencil
    for (t = 0; t < steps; t++) {
        if (t < 20)
            h[0] = pulse[t];
        for (i = 0; i < n - 1; i++)
            h[i] = h[i] + (e[i + 1] - e[i]) / 2;
        for (i = 1; i < n; i++)
            e[i] = e[i] + (h[i] - h[i - 1]) / 3;
        e[at] += exp(-(t - 30.) * (t - 30.) / 100.);
        e[at + 3] = e[at + 3] - ricker(t) / 2;
        if (t % 25 == 24)
            printf("at %d\n", t);
        double swing = sin(0.3 * t);
        grows += 0.5;
        h[at - 2] += swing * grows;
        if (t % 10 == 0)
            printf("%d %a %a\n", t, e[at], h[3]);
    }
    show_double("e", e, n);
    show_double("h", h, n);
    return 0;
}
