// Conditions that hold for every unsigned value, or for none.
// args: 17 5 ; 8 3 ; 3 1
// cflags: -Wno-type-limits
#include "dump.h"

int main(int argc, char **argv)
{
    size_t n = (size_t)argument(argc, argv, 1, 17);
    int steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (size_t i = 1; i < n - 1; i++)
            if (i >= 0 && 0 <= i + n)
                b[i] = a[i - 1] + a[i + 1];
        for (size_t i = 1; i < n - 1; i++)
            a[i] = i < 0 ? 0.0 : b[i] + (double)(0 > i);
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
