// One array is passed for a coefficient and for the field: the overlap is harmless or noticed.
// args: 37 5 ; 20 3
// fallback: allowed
#include "dump.h"

static void relax(int n, int steps, double *a, double *b, const double *c)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]) * c[i];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2), *c = new_double(n, 3);
    relax(n, steps, a, b, c);
    relax(n, steps, a, b, a);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
