// Masks that go round no grid: where a size is no power of two, where it is zero or negative, and where a mask keeps other bits, the
// program runs its own loops.
// form: subscripts: c[(i + 1) & mask]
// args: 12 11 ; 12 5 ; 12 -1 ; 9 8 ; 16 14
// fallback: expected
#include "dump.h"

static void turn(int n, int mask, int steps, const double *c, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            b[i] = 0.5 * a[i] + c[(i + 1) & mask];
        for (int i = 0; i < n; i++)
            a[i] = b[i];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), mask = argument(argc, argv, 2, 11);
    double *a = new_double((size_t)n, 1), *b = new_double((size_t)n, 2), *c = new_double((size_t)n + 2, 3);
    turn(n, mask, 3, c, a, b);
    show_double("a", a, (size_t)n);
    show_double("b", b, (size_t)n);
    return 0;
}
