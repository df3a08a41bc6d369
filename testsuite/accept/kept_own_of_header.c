// Copies of a function of a header take variables of their own files, so that they are no one function.
// args: 19 7 ; 6 4 ; 5 0
// with: with/scale.c
// notes: it calls `scaled`, which cannot be seen
#include "dump.h"
#include "with/scale.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 33), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    scale = 0.25;
    rescale(3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = scaled(a, i - 1) + scaled(a, i + 1);
        for (int i = 1; i < n - 1; i++)
            a[i] = a[i] + 0.5 * b[i];
        if (t % 2 == 0)
            report(a, n);
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
