// An int field and a float field read each other; conversions both ways.
// args: 37 5 ; 20 4
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    int *k = new_int(n, 1);
    float *x = new_float(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            x[i] = k[i - 1] + 0.25f * k[i + 1];
        for (int i = 1; i < n - 1; i++)
            k[i] = (int)(0.5f * x[i]) - (int)(-x[i] * 0.125f) + (k[i] > 0);
    }
    show_int("k", k, n);
    show_float("x", x, n);
    return 0;
}
