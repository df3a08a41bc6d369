// The swap stands before the sweep.
// args: 17 5 ; 20 4 ; 9 0
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2), *first = a;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double *swap = a;
        a = b;
        b = swap;
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    }
    printf("%d\n", a == first);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
