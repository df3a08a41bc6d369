// The increment is written as an assignment, on either side of the sum.
// args: 17 5 ; 22 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t = t + 1) {
        for (int i = 1; i < n - 1; i = 1 + i)
            b[i] = a[i - 1] - 0.5 * a[i + 1];
        for (int i = n - 2; i >= 1; i = i - 1)
            a[i] = 0.5 * b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
