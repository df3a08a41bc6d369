// Loops that start below zero, on pointers into the middle of an array.
// args: 8 5 ; 15 4
#include "dump.h"

int main(int argc, char **argv)
{
    int r = argument(argc, argv, 1, 8), steps = argument(argc, argv, 2, 5);
    int n = 2 * r + 1;
    double *base_a = new_double(n, 1), *base_b = new_double(n, 2);
    double *a = base_a + r, *b = base_b + r;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = -r + 1; i < r; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1 - r; i <= r - 1; i++)
            a[i] = b[i];
    }
    show_double("a", base_a, n);
    show_double("b", base_b, n);
    return 0;
}
