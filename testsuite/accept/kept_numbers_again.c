// Numbers that steps count and the host sets anew, so that some calls bring what the call before has brought; counters of type size_t.
// args: 20 9 ; 7 1 ; 33 40
// form: loops that the host keeps: if (t % 2 == 1) k = 1;
#include "dump.h"

static double u[2][64];

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 9), k = 2, by = 1;
    double *a = new_double(n, 1), *b = new_double(n, 2), *c = new_double(n, 3);

#pragma stencil
    for (int t = 0; t < steps; t++) {
        if (t % 6 == 1)
            printf("%.17g %d\n", c[3], k);
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        double *old = a;
        a = b;
        b = old;
        k += 2;
        for (int i = 1; i < n - 1; i++)
            c[i] = a[i - 1] + k * a[i];
        k = k > 2 ? 1 : k + 1;
    }
    printf("%d\n", k);
    show_double("a", a, n); show_double("b", b, n); show_double("c", c, n);

    /* In most steps it is what it was, or what the step before has made of it. */
#pragma stencil
    for (int t = 0; t < steps; t++) {
        k += 3;
        by -= 1;
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.25 * (a[i - 1] + a[i + 1]) + k - 3 * by;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        if (t % 2 == 1) k = 1;
        if (t % 5 == 4)
            printf("%d %d %.17g\n", k, by, a[n / 2]);
    }
    show_double("a", a, n);

#pragma stencil
    for (size_t t = 0; t < (size_t)steps; t++) {
        for (int i = 1; i < n - 1; i++)
            u[(t + 1) % 2][i] = 0.5 * (u[t % 2][i - 1] + u[t % 2][i + 1]) + a[i];
        if (t % 4 == 3)
            printf("%.17g\n", u[0][n / 2]);
    }
    show_double("u", u[0], 128);
    return 0;
}
