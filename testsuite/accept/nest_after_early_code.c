// A function that may return before the nest, and uses the arrays before and after it.
// args: 17 5 ; 2 4 ; 20 4
#include "dump.h"

static double relax(double *a, double *b, int n, int steps)
{
    double before = 0.0, after = 0.0;
    if (n < 3)
        return -1.0;
    for (int i = 0; i < n; i++)
        before += a[i];
    if (before > 1e30) {
        goto done;
    } else
#pragma stencil
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < n - 1; i++)
                b[i] = 0.5 * (a[i - 1] + a[i + 1]);
            for (int i = 1; i < n - 1; i++)
                a[i] = b[i];
        }
    for (int i = 0; i < n; i++)
        after += a[i] * b[i];
done:
    return before - after;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    printf("%a\n", relax(a, b, n, steps));
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
