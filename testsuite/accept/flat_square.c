// One parameter is both dimensions and the leading dimension.
// args: 17 5 ; 10 3 ; 2 2 ; 1 1
#include "dump.h"

static void smooth(double *a, double *b, int n, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = 0.25 * (a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j]
                                       + a[(i + 1) * n + j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i * n + j] = b[i * n + j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double((size_t)n * n, 1), *b = new_double((size_t)n * n, 2);
    smooth(a, b, n, steps);
    show_double("a", a, (size_t)n * n);
    show_double("b", b, (size_t)n * n);
    return 0;
}
