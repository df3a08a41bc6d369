// Statements that no point executes: conditions that hold nowhere, and the other branch of one that always holds.
// args: 17 5 ; 30 4
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2), *c = new_double(n, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            if (i > n - 1)
                c[i] = 1.5;
            if (i > 0)
                b[i] = 0.5 * (a[i - 1] + a[i + 1]);
            else
                b[i] = c[i];
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    show_double("c", c, n);
    return 0;
}
