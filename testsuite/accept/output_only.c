// A field that is written and never read, and one whose values are overwritten in the same step.
// args: 37 5 ; 20 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2), *flux = new_double(n, 3), *wasted = new_double(n, 4);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            wasted[i] = a[i] * 2.0;
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
            flux[i] = a[i + 1] - a[i];
        }
        for (int i = 1; i < n - 2; i++)
            wasted[i] = -a[i];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    show_double("flux", flux, n);
    show_double("wasted", wasted, n);
    return 0;
}
