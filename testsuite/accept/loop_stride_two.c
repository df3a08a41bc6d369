// Every second point is computed.
// form: loops: for (i = 1; i < n - 1; i += 2)
// args: 17 5 ; 34 6 ; 3 2
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    int t = 0, i = 0;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i += 2)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (i = 1; i < n - 1; i += 2)
            a[i] = b[i] + 0.125 * a[i];
    }
    printf("i = %d, t = %d\n", i, t);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
