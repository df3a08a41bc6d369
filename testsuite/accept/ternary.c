// Conditional expressions, nested, as operands and with mixed types.
// args: 37 5 ; 20 4
#include "dump.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = MAX(a[i - 1], a[i + 1]) - 0.5 * CLAMP(a[i], -1, 0.25f) + (i > 5 ? 0.125 : 1) * a[i];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i] > 1.0 || !(b[i] >= -1.0) ? b[i] * 0.25 : b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
