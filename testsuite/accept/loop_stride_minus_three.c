// A loop that steps downwards by three.
// args: 17 5 ; 35 4 ; 4 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    int t = 0, i = 0;
#pragma stencil
    for (t = 0; t < steps; ++t) {
        for (i = n - 2; i >= 1; i -= 3)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]) + 0.25 * b[i];
        for (i = 1; i < n - 1; ++i)
            a[i] = b[i];
    }
    printf("i = %d, t = %d\n", i, t);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
