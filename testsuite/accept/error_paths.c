// Error paths that end the program, in the nest and in functions that it calls: the driver sees before the nest that they are
// not taken. Periodic neighbours come from functions with such a path.
// args: 41 5 ; 6 3
#include "dump.h"

#include <assert.h>

static void fatal(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static int modulo(int i, int j)
{
    int value;
    if (j == 0) {
        fprintf(stderr, "\n");
        fprintf(stderr, "modulo: the divisor is 0\n");
        exit(1);
    }
    value = i % j;
    if (value < 0)
        value = value + abs(j);
    return value;
}

static int wrapped(int value, int first, int last)
{
    int wide = last + 1 - first;
    return wide == 1 ? first : first + modulo(value - first, wide);
}

static double weight(int order)
{
    switch (order) {
    case 1:
        return 0.5;
    case 2:
        return 0.25;
    default:
        fatal("no such order");
        return 0;
    }
}

static double limited(double x, int i, int n, double dt)
{
    assert(i >= 0 && i < n);
    if (dt <= 0.0)
        fatal("the step must be positive");
    return x * dt;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 41), steps = argument(argc, argv, 2, 5), order = 1 + n % 2;
    double *a = new_double(n, 1), *b = new_double(n, 2), dt = 0.375;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        if (t > 1000)
            abort();
        for (int i = 0; i < n; i++) {
            int left = wrapped(i - 1, 0, n - 1), right = wrapped(i + 1, 0, n - 1);
            b[i] = weight(order) * (a[left] - a[right]);
        }
        for (int i = 1; i < n - 1; i++) {
            double scale;
            if (order == 1)
                scale = 1;
            else if (order == 2)
                scale = 2;
            else
                fatal("no such order");
            a[i] = limited(b[i - 1], i - 1, n, dt) + scale * limited(b[i + 1], i + 1, n, dt);
        }
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
