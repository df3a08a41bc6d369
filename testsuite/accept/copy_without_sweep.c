// A copy of the whole array while the other sweep's domain is empty: the copy's results come from before the nest.
// args: 2 4 ; 1 3 ; 3 2 ; 2 1 ; 17 5 ; 2 0
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 2), steps = argument(argc, argv, 2, 4);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            b[i] = a[i];
        for (int i = 1; i < n - 1; i++)
            a[i] = 0.5 * b[i + 1];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
