// The host exchanges two buffers before a step, within which it prints and others are exchanged; loop variables outlive all.
// args: 6 ; 20 ; 0
// form: loops that the host keeps: u = v; v = old;
#include "dump.h"

int main(int argc, char **argv)
{
    int n = 40, steps = argument(argc, argv, 1, 6), i = 90, j = 91;
    double *a = new_double(n, 1), *b = new_double(n, 2), *u = new_double(n, 3), *v = new_double(n, 4);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double *old = u;
        u = v; v = old;
        for (i = 1; i < n - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        for (j = 1; j < n - 2; j++)
            b[j] = 0.25 * (a[j - 1] + a[j + 1]) + v[j];
        double *kept = a;
        a = b;
        b = kept;
        if (t % 2 == 0)
            printf("step %d\n", t);
        if (t % 2 == 1)
            a[0] = 3;
        if (t % 5 == 4)
            printf("%.17g\n", u[n / 2]);
    }
    printf("%d %d\n", i, j);
    show_double("a", a, n); show_double("b", b, n); show_double("u", u, n); show_double("v", v, n);
    return 0;
}
