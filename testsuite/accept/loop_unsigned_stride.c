// Unsigned loops with strides that start at half of an unsigned size: which points belong is no matter of wrapping.
// args: 13 9 ; 14 5 ; 31 6 ; 2 3
#include "dump.h"

int main(int argc, char **argv)
{
    unsigned n = (unsigned)argument(argc, argv, 1, 13);
    int steps = argument(argc, argv, 2, 9);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (unsigned i = n / 2; i + 1 < n; i += 3)
            b[i] = 0.5 * (a[i] + a[i + 1]);
        for (unsigned i = n / 2; i + 1 < n; i += 3)
            a[i] = b[i] + 0.25;
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
