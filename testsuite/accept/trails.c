// Scalars that loops over space carry from point to point: neighbours before their update, fluxes, in one and two dimensions.
// args: 41 17 7 ; 5 4 3 ; 64 9 0
// form: scalars from point to point: x = k * (a[i + 1] + v - 2 * a[i]); v = a[i]; a[i] += x;
// form: scalars from point to point: left = here; here = right;
// form: scalars from point to point: u[i * m + j] -= 0.1 * (out - in[0]); in[0] = out;
// form: scalars from point to point: c[i] = a[i] - old; old = a[i];
#include "dump.h"

static double flux(double left, double right)
{
    return left > right ? 0.5 * left * left : 0.25 * (left + right);
}

/* What was left of a point, from both sides, in some steps alone. */
static void neighbours(int n, int steps, double *a, float *f)
{
    double k = 0.2, x, v;
    int i;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        v = a[0];
        for (i = 1; i < n - 1; i++) {
            x = k * (a[i + 1] + v - 2 * a[i]); v = a[i]; a[i] += x;
        }
        if (t % 3 == 1) {
            float right = f[n - 1];
            for (i = n - 2; i > 0; i -= 2) {
                const float here = f[i];
                f[i] = 0.5f * right + f[i - 1];
                right = here;
            }
        }
    }
}

/* Three values that go on together. */
static void three(int n, int steps, double *a)
{
    double left, here, right;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        left = a[0];
        here = a[1];
        for (unsigned i = 1; i < (unsigned)n - 1; i++) {
            right = a[i + 1];
            a[i] = 0.3 * (left + here + right);
            left = here; here = right;
        }
    }
}

/* Fluxes through the sides of cells, and through their tops a row before. */
static void fluxes(int n, int m, int steps, double *u)
{
    double in[2], out;
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++) {
            in[0] = flux(u[i * m], u[i * m + 1]);
            for (int j = 1; j < m - 1; j++) {
                out = flux(u[i * m + j], u[i * m + j + 1]);
                u[i * m + j] -= 0.1 * (out - in[0]); in[0] = out;
            }
        }
}

/* In one sweep, from what the scalar holds before it. */
static void once(int n, const double *a, double *c, double old)
{
#pragma stencil
    for (int i = 1; i < n; i++) {
        c[i] = a[i] - old; old = a[i];
    }
}

/* The loop does not look at the scalar before it has one. */
static void without_first(int n, int m, const double *u, double *c)
{
    double above;
#pragma stencil
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            c[i * m + j] = u[i * m + j] - (i > 0 ? above : 1);
            above = u[i * m + j] > 0.1 ? u[i * m + j] : 0.1;
        }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), m = argument(argc, argv, 2, 10), steps = argument(argc, argv, 3, 5);
    double *a = new_double(n, 1), *u = new_double(n * m, 2), *c = new_double(n * m, 3);
    float *f = new_float(n, 4);
    neighbours(n, steps, a, f);
    show_double("a", a, n);
    show_float("f", f, n);
    three(n, steps, a);
    show_double("a", a, n);
    fluxes(n, m, steps, u);
    show_double("u", u, n * m);
    once(n, a, c, 0.5);
    show_double("c", c, n * m);
    without_first(n, m, u, c);
    show_double("c", c, n * m);
    return 0;
}
