// Plain moves to the left every step: nothing but copies.
// args: 17 5 ; 20 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1);
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n - 1; i++)
            a[i] = a[i + 1];
    show_double("a", a, n);
    return 0;
}
