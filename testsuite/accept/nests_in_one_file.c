// Three marked nests in one file, two of them in one function, sharing arrays.
// args: 17 5 ; 20 4
#include "dump.h"

static void blur(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
#pragma stencil
    for (int i = 0; i < n; i++)
        b[i] = 2.0 * a[i];
}

static void sharpen(int n, int steps, float *a, float *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n - 2; i++)
            b[i] = 1.5f * a[i] - 0.25f * (a[i - 2] + a[i + 2]);
        float *swap = a;
        a = b;
        b = swap;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    float *x = new_float(n, 3), *y = new_float(n, 4);
    blur(n, steps, a, b);
    sharpen(n, steps, x, y);
    blur(n - 3, steps + 1, b, a);
    show_double("a", a, n);
    show_double("b", b, n);
    show_float("x", x, n);
    show_float("y", y, n);
    return 0;
}
