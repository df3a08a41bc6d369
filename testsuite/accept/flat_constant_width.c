// Flat arrays whose width is a constant, also written as a number.
// args: 17 5 ; 8 3
#include "dump.h"

#define W 12

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double((size_t)n * W, 1), *b = new_double((size_t)n * W, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < W - 1; j++)
                b[W * i + j] = 0.25 * (a[12 * i + j - 1] + a[i * W + j + 1] + a[(i - 1) * W + j]
                                       + a[12 * i + j + 12]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < 11; j++)
                a[i * 12 + j] = b[i * 12 + j];
    }
    show_double("a", a, (size_t)n * W);
    show_double("b", b, (size_t)n * W);
    return 0;
}
