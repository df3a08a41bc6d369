// Loop variables declared before the nest; their final values are printed.
// args: 17 5 ; 33 6 ; 9 0 ; 2 4 ; 1 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    int i = -7, t = -9;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
        for (i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    printf("i = %d, t = %d\n", i, t);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
