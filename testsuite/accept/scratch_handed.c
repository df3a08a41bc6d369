// Small arrays of the function around a nest, and of its steps, that functions fill for each point to which they are handed.
// args: 41 7 ; 9 3 ; 40 4
// form: bodies: flux(&u[i], f, speeds);
#include <math.h>
#include "dump.h"

static void pair(double *w, double left, double right)
{
    w[0] = left;
    w[1] = right;
}

static void flux(const double *u, double *f, double *s)
{
    pair(s, u[0] - 1, u[1] + 1);
    f[0] = u[0] * s[1];
    f[1] = u[1] * s[0];
}

static void gather(const double *u, double w[3][2])
{
    for (int k = 0; k < 3; k++) {
        w[k][0] = u[k - 1];
        w[k][1] = 2 * w[k][0];
    }
}

static double total(double w[3][2])
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += w[k][0] * w[k][1];
    return sum;
}

static void sweep(int n, int steps, double *u, double *v)
{
    double f[2], speeds[2], w[3][2];
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double ends[2];
        for (int i = 1; i < n - 1; i++) {
            flux(&u[i], f, speeds);
            gather(u + i, w);
            pair(ends, u[i - 1], f[1]);
            v[i] = u[i] + 0.01 * (f[1] - f[0]) + 0.001 * speeds[1] - 0.002 * total(w) + 0.001 * ends[1] * ends[0];
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
    }
}

static double fastest_of(int n, int steps, double *u, double *v)
{
    double f[2], speeds[2], fastest = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        fastest = 0;
        for (int i = 1; i < n - 1; i++) {
            flux(&u[i], f, speeds);
            v[i] = u[i] + 0.01 * (f[1] - f[0]);
            if (fabs(speeds[1]) > fastest)
                fastest = fabs(speeds[1]);
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
        printf("%a\n", fastest);
    }
    return fastest + speeds[0];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 41), steps = argument(argc, argv, 2, 7);
    double *u = new_double((size_t)n, 1), *v = new_double((size_t)n, 2);
    sweep(n, steps, u, v);
    printf("%a\n", fastest_of(n, steps, u, v));
    show_double("u", u, n);
    show_double("v", v, n);
    return 0;
}
