// Arrays that lie side by side in one allocation do not overlap.
// args: 37 5 ; 20 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *memory = new_double((size_t)2 * n, 1);
    double *a = memory, *b = memory + n;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    show_double("memory", memory, (size_t)2 * n);
    return 0;
}
