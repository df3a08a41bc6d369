// In place with a descending loop that reads the left neighbour: not yet overwritten either.
// args: 17 5 ; 20 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1);
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = n - 1; i >= 1; i--)
            a[i] = 0.5 * a[i] + 0.5 * a[i - 1];
    show_double("a", a, n);
    return 0;
}
