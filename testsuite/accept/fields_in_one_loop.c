// Three fields in one loop, each needing what the others had at points already passed: legal one after the other.
// args: 17 5 ; 30 2
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2), *c = new_double(n, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.5 * c[i];
            a[i] = a[i] + 0.25 * (b[i - 1] + a[i + 1]);
            c[i] = b[i] * 2.0 + a[i];
        }
    }
    show_double("a", a, n);
    show_double("b", b, n);
    show_double("c", c, n);
    return 0;
}
