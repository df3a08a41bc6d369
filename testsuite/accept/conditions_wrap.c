// Range checks that rest on unsigned arithmetic, and comparisons of signed indices with unsigned sizes.
// args: 17 5 ; 30 2
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    size_t size = (size_t)n;
    unsigned count = (unsigned)n;
    double *a = new_double(n, 1), *b = new_double(n, 2), *c = new_double(n, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            if ((unsigned)(i - 1) < count - 2)
                b[i] = 0.5 * (a[i] + c[i]);
            else
                b[i] = 0.25 * a[i];
        }
        for (unsigned i = 0; i < (unsigned)n; i++) {
            if (i - 2 < count - 5)
                c[i] = c[i] + b[i];
            if (i < size - 1)
                c[i] -= 0.125;
        }
        for (int i = 0; i < n; i++)
            a[i] = b[i] * c[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    show_double("c", c, n);
    return 0;
}
