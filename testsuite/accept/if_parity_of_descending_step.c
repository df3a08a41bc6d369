// What a step does depends on whether it is even, and steps are counted down.
// args: 37 5 ; 20 4 ; 20 0
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = steps; t > 0; t--) {
        for (int i = 1; i < n - 1; i++)
            if (t % 2 == 0)
                b[i] = 0.5 * (a[i - 1] + a[i]);
            else
                b[i] = 0.5 * (a[i] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
