// Functions of the library of the step and of scalars alone: sources, factors, what a condition asks for, point functions.
// args: 17 12 ; 9 0 ; 12 3
#include "dump.h"
#include <math.h>

static double gaussian(int t, double middle, double spread)
{
    double x = (t - middle) / spread;
    return exp(-0.5 * x * x);
}

static float pulse(float s)
{
    return expf(-s * s) * cosf(3.1f * s);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 12), m = 14;
    double *a = new_double(n * m, 1), *b = new_double(n * m, 2);
    float *c = new_float(n * m, 3);
    double w = 0.31 + 0.001 * n, dt = 0.7, last = 0;
    /* A name of the library is the program's own here. */
    int exp2;
#pragma stencil
    for (exp2 = 1; exp2 <= steps; exp2++) {
        double now = sin(2.0 * 3.14159 * w * exp2 * dt);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = 0.25 * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j] + a[(i + 1) * m + j]) * exp(-w);
        b[5 * m + 7] += gaussian(exp2, 40, 12);
        if (exp2 < 7)
            b[6 * m + 8] = now * pow(0.9, exp2);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                a[i * m + j] = b[i * m + j] + (b[i * m + j] > sin(w) ? log(1.0 + exp2) : 0.0) + tanh((exp)(-0.1 * exp2));
                c[i * m + j] = c[i * m + j] * 0.5f + pulse(0.1f * exp2);
            }
        last = now * pow(0.9, exp2);
    }
    show_double("a", a, n * m);
    show_double("b", b, n * m);
    show_float("c", c, n * m);
    printf("%d %.17g\n", exp2, last);
    return 0;
}
