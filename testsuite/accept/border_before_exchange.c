// A border cell is set before three pointers are exchanged, and the sweep behind writes another generation of the array.
// args: 4 7 ; 31 4 ; 28 9
#include "dump.h"

static void advance(int n, int steps, float *a, float *b, float *c)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        a[0] = -a[1];
        a[n - 1] = 1;
        for (int i = 1; i < n - 1; i++)
            c[i] = 0.5f * b[i - 1] + 0.25f * b[i + 1] - 0.125f * a[i];
        float *kept = a;
        a = b;
        b = c;
        c = kept;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 31), steps = argument(argc, argv, 2, 4);
    float *a = new_float(n, 1), *b = new_float(n, 2), *c = new_float(n, 3);
    advance(n, steps, a, b, c);
    show_float("a", a, n);
    show_float("b", b, n);
    show_float("c", c, n);
    return 0;
}
