// Subscripts and pointers run along with loops of other strides than 1, and of long variables.
// args: 34 5 ; 9 1 ; 70 12
// form: subscripts: a[at] = 0.5 * b[i - 1]; at += 6;
// form: subscripts: *to++ -= 0.25 * b[i - 1];
#include "dump.h"

static void sweep(long n, double *a, double *b)
{
    long at = 3;
    for (long i = 1; i < n / 2; i += 3) {
        a[at] = 0.5 * b[i - 1]; at += 6;
    }
    double *to = &a[0];
    for (long i = 1; i != n - 1; ++i)
        *to++ -= 0.25 * b[i - 1];
    double *down = &a[n];
    for (long i = n - 3; i > 2; i -= 2) {
        *down = b[i] - *down;
        down -= 2;
    }
    for (long i = 0; i < n; i++)
        b[i] = a[i + 1];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 34), steps = argument(argc, argv, 2, 5);
    double *a = new_double((size_t)n + 9, 1), *b = new_double((size_t)n + 9, 2);
#pragma stencil
    for (int t = 0; t < steps; t++)
        sweep(n, a, b);
    show_double("a", a, (size_t)n + 9);
    show_double("b", b, (size_t)n + 9);
    return 0;
}
