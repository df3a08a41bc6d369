// Later statements of a sweep write what other points read: the order between sweeps decides.
// args: 37 5 ; 20 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2), *c = new_double(n, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            c[i] = a[i + 1] + 0.5 * b[i + 1];
            a[i] = 0.25 * c[i] - 0.3 * b[i];
        }
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.5 * (a[i - 1] + c[i + 1]);
            c[i] = b[i] * 0.1;
        }
    }
    show_double("a", a, n);
    show_double("b", b, n);
    show_double("c", c, n);
    return 0;
}
