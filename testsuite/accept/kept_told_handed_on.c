// Sweeps need what stands directly before them in the same step folds: a norm, what a function returns, both in a function that is a
// step; the host hands it on.
// args: 41 23 ; 12 5 ; 90 2
// notes: none
// form: loops that the host keeps: u[i] = v[i] / sqrt(sum);
// form: loops that the host keeps: p[i] = r[i] + now / *before * p[i];
#include <math.h>
#include "dump.h"

static double run(int n, int steps, double *u, double *v)
{
    double sum = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sum = 0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = 2 * u[i] - 0.5 * u[i - 1] + 0.25 * u[i + 1];
            sum += v[i] * v[i];
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i] / sqrt(sum);
    }
    return sum;
}

static float largest(int n, const float *f)
{
    float most = 0;
    for (int i = 0; i < n; i++)
        most = fmaxf(most, fabsf(f[i]));
    return most;
}

static void scaled(int n, int steps, float *f, float *g)
{
    float most;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            g[i] = f[i] + 0.4f * (f[i - 1] - f[i + 1]);
        most = largest(n, g);
        for (int i = 0; i < n; i++)
            f[i] = g[i] / (1 + most);
        if (t % 7 == 3)
            printf("%d %a\n", t, most);
    }
}

static void step(int n, double *u, double *r, double *p, double *w, double *before)
{
    double bend = 0;
    for (int i = 1; i < n - 1; i++) {
        w[i] = 3.5 * p[i] - p[i - 1] - p[i + 1];
        bend += w[i] * p[i];
    }
    double now = 0;
    for (int i = 1; i < n - 1; i++) {
        u[i] += *before / bend * p[i];
        r[i] -= *before / bend * w[i];
        now += r[i] * r[i];
    }
    for (int i = 1; i < n - 1; i++)
        p[i] = r[i] + now / *before * p[i];
    *before = now;
}

static int solve(int n, int most, double *u, double *r, double *p, double *w)
{
    double before = 0;
    int k;
    for (int i = 0; i < n; i++)
        before += r[i] * r[i];
#pragma stencil
    for (k = 0; k < most; k++) {
        step(n, u, r, p, w, &before);
        if (before < 1e-6)
            break;
    }
    printf("%a\n", before);
    return k;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 41), steps = argument(argc, argv, 2, 23);
    double *a[4];
    float *f = new_float(n, 9), *g = new_float(n, 8);
    for (int i = 0; i < 4; i++)
        a[i] = new_double(n, i + 1);
    printf("%a\n", run(n, steps, a[0], a[1]));
    printf("%d\n", solve(n, steps, a[0], a[1], a[2], a[3]));
    for (int i = 0; i < 4; i++) {
        show_double("a", a[i], n);
        free(a[i]);
    }
    scaled(n, steps, f, g);
    show_float("f", f, n);
    show_float("g", g, n);
    free(f);
    free(g);
    return 0;
}
