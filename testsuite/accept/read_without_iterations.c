// The array a is read only under a condition that no iteration satisfies; speculatively and inside a statement.
// args: 26 4 ; 9 1 ; 5 3
#include "dump.h"

static void advance(int n, int steps, const double *a, double *b, double *c, double *d)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 4; i + 4 < n; i++)
            c[i] = i != n - 1 ? 0.5 * b[i] : a[i] * b[i];
        for (int i = 2; i + 2 < n; i++)
            d[i] = i == n - 1 ? a[i] * c[i] + a[i] * c[i] : -0.9 * c[i] + c[i - 2];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 16);
    int steps = argument(argc, argv, 2, 3);
    double a[32], b[32], c[32], d[32];
    for (int i = 0; i < 32; i++) {
        a[i] = i;
        b[i] = 0.25 * i;
        c[i] = 1.0 / (i + 1);
        d[i] = -i;
    }
    advance(n, steps, a, b, c, d);
    show_double("c", c, 32);
    show_double("d", d, 32);
    return 0;
}
