// Called functions are given null pointers, addresses of variables and arrays, and test which they got.
// form: calls: relax(v, u, NULL, n);
// form: calls: if (residual != NULL)
// form: bodies: if (last)
// args: 37 5 ; 20 4 ; 33 1 ; 16 0
#include <math.h>
#include "dump.h"

struct grid {
    double *u, *v;
    float change;
};

static void relax(float *to, const float *from, float *residual, int n)
{
    if (residual != NULL) {
        float most = 0;
        for (int i = 1; i < n - 1; i++) {
            to[i] = 0.5f * (from[i - 1] + from[i + 1]);
            most = fmaxf(most, fabsf(to[i] - from[i]));
        }
        *residual = most;
    } else {
        for (int i = 1; i < n - 1; i++)
            to[i] = 0.5f * (from[i - 1] + from[i + 1]);
    }
}

static double source(const double *heat, const double *gain, int i)
{
    const double *none = 0;
    return (heat ? heat[i] : 0.25) * (gain == NULL ? 1.0 : gain[i + 1]) + (none ? none[i] : 0.0);
}

static void sweep(struct grid *g, const double *heat, const double *gain, float *change, int n)
{
    if (!g)
        return;
    for (int i = 1; i < n - 1; i++)
        g->v[i] = 0.25 * (g->u[i - 1] + g->u[i + 1]) + source(heat, gain, i);
    for (int i = 1; i < n - 1; i++)
        g->u[i] = g->v[i];
    if (change)
        *change += 1;
}

static void inner(int n, const double *a, double *b)
{
#pragma stencil
    for (int i = 1; i < n; i++) {
        const double *last = a + i - 1;
        if (last)
            b[i] = *last;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    float *u = new_float(n, 1), *v = new_float(n, 2), residual = 1;
    double fixed[64];
    for (int i = 0; i < 64; i++)
        fixed[i] = 1.0 / (i + 1);
    struct grid grid = { new_double(n, 3), new_double(n, 4), 0 };
    double *heat = new_double(n, 5);
    int t = 0;
#pragma stencil
    while (t <= steps && residual >= 1e-6f) {
        relax(v, u, NULL, n);
        relax(u, v, &residual, n);
        t += 2;
        if (t % 4 == 0)
            printf("%d %.9g\n", t, residual);
    }
#pragma stencil
    for (t = 0; t < steps; t++) {
        sweep(&grid, heat, fixed, &grid.change, n);
        sweep(&grid, (double *)0, NULL, 0, n);
        sweep(NULL, heat, heat, 0, n);
    }
    inner(n, heat, grid.v);
    show_float("u", u, n);
    show_float("v", v, n);
    show_double("grid.u", grid.u, n);
    show_double("grid.v", grid.v, n);
    printf("%g\n", grid.change);
    return 0;
}
