// Scalars that loops over space carry from point to point, in loops that the host keeps, beside what is folded there.
// args: 41 30 ; 40 7 ; 9 1
// form: loops that the host keeps: change += fabs(x); v = a[i]; a[i] += x;
#include <math.h>
#include "dump.h"

static void printed(int n, int steps, double *a)
{
    double v;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        v = a[0];
        for (int i = 1; i < n - 1; i++) {
            double x = 0.2 * (a[i + 1] + v - 2 * a[i]);
            v = a[i];
            a[i] += x;
        }
        if (t % 5 == 0)
            printf("%a\n", a[n / 2]);
    }
}

static int settled(int n, int most, double *a)
{
    double change = 1, v;
    int k = 0;
#pragma stencil
    while (change > 1e-2 && k < most) {
        change = 0;
        v = a[0];
        for (int i = 1; i < n - 1; i++) {
            double x = 0.2 * (a[i + 1] + v - 2 * a[i]);
            change += fabs(x); v = a[i]; a[i] += x;
        }
        k++;
    }
    printf("%a\n", change);
    return k;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    printed(n, steps, a);
    printf("%d\n", settled(n, steps, b));
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
