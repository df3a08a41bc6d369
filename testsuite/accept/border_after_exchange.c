// A border cell is set after pointers are exchanged, so that one step writes two generations of an array.
// args: 27 2 ; 9 0 ; 30 7
#include "dump.h"

static void advance(int n, int steps, double *a, double *b)
{
    const double *first = a;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n - 1; i++)
            b[i] = 0.5 * a[i - 1] - 0.25 * a[i - 2];
        double *kept = a;
        a = b;
        b = kept;
        b[n - 1] = 1;
    }
    printf("%d\n", a == first);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 27), steps = argument(argc, argv, 2, 2);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    advance(n, steps, a, b);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
