// Nests that follow each other in a function that is called for several grids, and once for two that are the same memory.
// args: 17 3 ; 8 1 ; 3 2 ; 1 1
// notes: what this nest computes stays on the device for the next one
#include "dump.h"

static void relax(int n, int steps, float *a, float *b, const float *weights)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = weights[0] * (a[i - 1] + a[i + 1]) + weights[1] * a[i];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
#pragma stencil
    for (int i = 1; i < n; i++)
        b[i] = 2.0f * a[i] + b[0];
#pragma stencil
    for (int i = 0; i < n - 1; i++)
        a[i] = b[i + 1] - 1.0f;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 3);
    float *a = new_float((size_t)n, 1), *b = new_float((size_t)n, 2), *c = new_float((size_t)n + 2, 3);
    for (int k = 0; k < 3; k++) {
        relax(n, steps, a, b, c);
        relax(n, steps, b, a, c);
        relax(n, steps, a, c + 2, b);
    }
    relax(n, steps, c + 2, a, c);
    show_float("a", a, (size_t)n);
    show_float("b", b, (size_t)n);
    show_float("c", c, (size_t)n + 2);
    return 0;
}
