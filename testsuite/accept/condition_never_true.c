// An element is read under a condition that no point fulfils.
// args: 17 5 ; 30 4
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = i > n - 1 ? b[i - 1] : 0.75 * b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
