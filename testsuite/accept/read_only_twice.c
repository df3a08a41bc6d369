// Two read-only arrays are the same memory: no reason to fall back.
// args: 37 5 ; 20 3
#include "dump.h"

static void relax(int n, int steps, double *a, double *b, const double *c, const double *d)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] * c[i] + a[i + 1] * d[i - 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2), *c = new_double(n, 3);
    relax(n, steps, a, b, c, c);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
