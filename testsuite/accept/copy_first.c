// The copy to the second array comes first, the update reads it.
// args: 17 5 ; 20 4
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *old = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            old[i] = a[i];
        for (int i = 1; i < n - 1; i++)
            a[i] = old[i] + 0.2 * (old[i - 1] - 2.0 * old[i] + old[i + 1]);
    }
    show_double("a", a, n);
    show_double("old", old, n);
    return 0;
}
