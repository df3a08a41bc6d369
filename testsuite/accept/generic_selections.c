// Functions and numbers are selected by the type of a value.
// cflags: -std=c11
// args: 33 7 ; 5 1 ; 2 3
// form: calls: _Generic((x) + (y), float: larger_float, default: larger)(x, y)
#include <math.h>
#include "dump.h"

#define absolute(x) _Generic((x), float: fabsf, default: fabs)(x)
#define most(x, y) _Generic((x) + (y), float: larger_float, default: larger)(x, y)
#define third(x) _Generic((x), double: 1.0, float: 1.0f) / 3

static double larger(double x, double y)
{
    return x < y ? y : x;
}

static float larger_float(float x, float y)
{
    return x < y ? y : x;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 33), steps = argument(argc, argv, 2, 5), t;
    double *a = new_double((size_t)n, 1), *b = new_double((size_t)n, 2), change = 1;
    float *c = new_float((size_t)n, 3);
#pragma stencil
    for (t = 0; t < steps && change > 1e-3; t++) {
        change = 0;
        for (int i = 1; i < n - 1; i++) {
            b[i] = third(a[i]) * (a[i - 1] + most(a[i], -a[i + 1]));
            change = most(change, absolute(b[i] - a[i]));
        }
        for (int i = 1; i < n - 1; i++)
            c[i] = most(c[i], 0.5f * third(c[i]));
        double *other = a;
        a = b;
        b = other;
    }
    printf("%d %a\n", t, change);
    show_double("a", a, (size_t)n);
    show_double("b", b, (size_t)n);
    show_float("c", c, (size_t)n);
    return 0;
}
