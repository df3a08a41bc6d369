// A strategy and a time tile are asked for, and a mirrored read allows neither.
// args: 37 5 ; 8 1
// notes: GPUs and CPUs get single steps instead of the strategy `local` and a time tile of 4 steps
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil time_tile(4) strategy(local)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[n - 1 - i] + a[i]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
