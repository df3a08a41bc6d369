// A sweep that stores what is there, beside host code that looks at the array.
// args: 40 7 ; 9 20
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 7);
    double *a = new_double(n, 1);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            a[i] = a[i];
        if (t % 3 == 0)
            printf("%a\n", a[0]);
    }
    show_double("a", a, n);
    return 0;
}
