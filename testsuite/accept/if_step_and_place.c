// Conditions on the time step and the place: sources that are switched on late, a front that moves.
// form: bodies: if (t >= 2 && i == n / 2)
// args: 37 5 ; 20 1 ; 90 30
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2), *c = new_double(n, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
            if (t >= 2 && i == n / 2)
                b[i] += 0.25;
            if (i <= 2 * t + 3)
                c[i] = c[i] + b[i];
        }
        for (int i = 1; i < n - 1; i++) {
            a[i] = b[i];
            if (t < 3 && i >= 5)
                c[i - 5] = c[i - 5] * 0.5;
        }
        c[n - 1] = t;
    }
    show_double("a", a, n);
    show_double("b", b, n);
    show_double("c", c, n);
    return 0;
}
