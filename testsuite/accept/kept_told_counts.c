// Sweeps need integers that are folded before them in the same step: counts of several types, in loops, by a function and behind a
// pointer, the number of the largest value, and what the host makes of one.
// args: 31 24 ; 12 5 ; 60 2
// notes: none
// form: loops that the host keeps: u[i] = v[i] / (1 + active);
// form: loops that the host keeps: int half = (moved(n, f, g) + 1) / 2;
#include <math.h>
#include "dump.h"

static unsigned spread(int n, int steps, double *u, double *v)
{
    unsigned total = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        unsigned active = 0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
            if (fabs(v[i] - u[i]) > 0.01)
                active++;
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i] / (1 + active);
        total += active;
        long few = 0;
        for (int i = 1; i < n - 1; i++)
            few += u[i] < 0.01;
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] + 0.001 * (few - 3);
    }
    return total;
}

static int moved(int n, const float *f, const float *g)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (f[i] != g[i])
            count++;
    return count;
}

static int settle(int n, int steps, float *f, float *g)
{
    int t;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            g[i] = fminf(f[i - 1], f[i + 1]);
        int half = (moved(n, f, g) + 1) / 2;
        if (half == 0) break;
        for (int i = 1; i < n - 1; i++)
            f[i] = g[i] + 0.01f * half;
        if (t % 5 == 2)
            printf("%d %d\n", t, half);
    }
    return t;
}

static void largest(int n, const double *a, int *at, double *most)
{
    *at = 0;
    *most = -1;
    for (int i = 0; i < n; i++)
        if (a[i] > *most) {
            *most = a[i];
            *at = i;
        }
}

static void level(int n, int steps, double *u, double *v)
{
    int at, k = 0;
    double most;
#pragma stencil
    while (k++ < steps) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.3 * (u[i - 1] + u[i] + u[i + 1]);
        largest(n, v, &at, &most);
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i] - most * (1 + at % 4) / n;
    }
    printf("%d %a\n", at, most);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 31), steps = argument(argc, argv, 2, 24);
    double *u = new_double(n, 1), *v = new_double(n, 2);
    float *f = new_float(n, 3), *g = new_float(n, 4);
    printf("%u\n", spread(n, steps, u, v));
    show_double("u", u, n);
    show_double("v", v, n);
    printf("%d\n", settle(n, steps, f, g));
    show_float("f", f, n);
    show_float("g", g, n);
    fill_double(u, n, 5);
    level(n, steps, u, v);
    show_double("u", u, n);
    show_double("v", v, n);
    free(u);
    free(v);
    free(f);
    free(g);
    return 0;
}
