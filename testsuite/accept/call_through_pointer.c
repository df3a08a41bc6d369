// Calls through pointers to functions that nothing changes: constants, tables, parameters of a function that is called at one
// place, pointers that are handed on.
// args: 41 5
#include "dump.h"

#include <math.h>

typedef double (*rule)(double, double);

static double mean(double x, double y) { return 0.5 * (x + y); }
static double upwind(double x, double y) { return x - 0.25 * y; }
static rule const fixed = mean;
static double (*const table[2])(double, double) = { mean, &upwind };
static double (*root)(double) = sqrt;

static double applied(rule f, double x, double y) { return f(x, y) * root(2.0); }

static void sweep(int n, double *b, const double *a, rule f)
{
    for (int i = 1; i < n - 1; i++)
        b[i] = (*f)(a[i - 1], a[i + 1]);
}

static void advance(int n, int steps, double *a, double *b, rule chosen)
{
    double (*local)(double, double) = &upwind;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(n, b, a, chosen);
        for (int i = 1; i < n - 1; i++)
            a[i] = 0.5 * fixed(b[i - 1], table[1](b[i], b[i + 1])) + applied(local, b[i], b[i - 1]) * 0.125;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 41), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    advance(n, steps, a, b, mean);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
