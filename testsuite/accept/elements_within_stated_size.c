// An element under a condition is within the size that a variable states for some bounds of the loop: the driver looks at them.
// args: 17 16 ; 16 40 ; 2 1 ; 1 1
// form: bodies: if (b[i] > 0) b[i] = a[i - 1];
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 16);
    double *a = new_double((size_t)m, 1), *b = new_double((size_t)n, 2);
    for (int i = 0; i < n; i++)
        b[i] -= 0.5;
#pragma stencil extent(a[0:m])
    for (int i = 1; i < n; i++)
        if (b[i] > 0) b[i] = a[i - 1];
    show_double("b", b, (size_t)n);
    return 0;
}
