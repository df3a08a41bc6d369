// A function that sums is called several times in a step: each call's sum is its own, and what is made of it is kept.
// form: loops that the host keeps: now = rms(n, w);
// form: loops that the host keeps: double both = rms(n, w) + 2 * rms(n, u);
// args: 37 9 ; 20 4 ; 33 1 ; 16 0
#include <math.h>
#include "dump.h"

static double rms(int n, const double *d)
{
    double v = 0;
    for (int i = 0; i < n; i++)
        v = v + d[i] * d[i];
    v = sqrt(v / n);
    return v;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 9);
    double *u = new_double(n, 1), *w = new_double(n, 2), *x = new_double(n, 3), *d = new_double(n, 4);
    double before = 0, now = 0, change, error;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            u[i] = w[i];
        for (int i = 1; i < n - 1; i++)
            w[i] = 0.5 * (u[i - 1] + u[i + 1]);
        before = now;
        now = rms(n, w);
        for (int i = 0; i < n; i++)
            d[i] = w[i] - u[i];
        change = rms(n, d);
        for (int i = 0; i < n; i++)
            d[i] = w[i] - x[i];
        error = rms(n, d);
        printf("%d %.17g %.17g %.17g %.17g\n", t, before, now, change, error);
        if (change < 1e-3)
            break;
    }
    show_double("w", w, n);
    show_double("d", d, n);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            u[i] = w[i];
        for (int i = 1; i < n - 1; i++)
            w[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
        double both = rms(n, w) + 2 * rms(n, u);
        printf("%d %.17g\n", t, both);
    }
    show_double("u", u, n);
    show_double("w", w, n);
    return 0;
}
