// Three sweeps a step, each reading neighbours of the one before.
// form: loops: c[i] = b[i - 1] + 0.5 * b[i + 1] + a[i];
// args: 37 5 ; 20 4 ; 5 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2), *c = new_double(n, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] - 0.5 * a[i + 1];
        for (int i = 2; i < n - 2; i++)
            c[i] = b[i - 1] + 0.5 * b[i + 1] + a[i];
        for (int i = 3; i < n - 3; i++)
            a[i] = 0.25 * c[i - 1] + 0.25 * c[i + 1] + 0.1 * b[i + 2];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    show_double("c", c, n);
    return 0;
}
