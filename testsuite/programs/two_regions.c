/* Two marked nests in functions that are called three times each. The constant 0.3 is only in kernels. */
#include "dump.h"

static void blur(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

static void drift(int n, int steps, float *a, float *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.75f * a[i] + 0.25f * a[i - 1];
        float *swap = a;
        a = b;
        b = swap;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 101), steps = argument(argc, argv, 2, 7);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    float *x = new_float(n, 3), *y = new_float(n, 4);
    for (int call = 0; call < 3; call++) {
        blur(n, steps, a, b);
        drift(n, steps + call, x, y);
        show_double("a", a, n);
        show_float("x", x, n);
    }
    show_double("b", b, n);
    show_float("y", y, n);
    return 0;
}
