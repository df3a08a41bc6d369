// An index array that holds something else than the loop that fills it stores: the original loops run.
// args: 17 5 ; 9 2
// fallback: expected
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    int *left = new_int(n, 3), *other = left;
    for (int i = 0; i < n; i++)
        left[i] = i - 1;
    left[0] = n - 1;
    other[n / 2] = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            b[i] = 0.5 * (a[i] + a[left[i]]);
        for (int i = 0; i < n; i++)
            a[i] = b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
