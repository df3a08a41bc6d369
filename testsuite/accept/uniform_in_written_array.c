// A weight that is an element of an array which the nest writes, under another name: the original loops run.
// args: 19 13 4
// fallback: expected
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), m = argument(argc, argv, 2, 13), steps = argument(argc, argv, 3, 4);
    double *a = malloc((size_t)n * m * sizeof *a), *b = malloc((size_t)n * m * sizeof *b);
    double *weight = a + m + 2;

    fill_double(a, (size_t)n * m, 1);
    fill_double(b, (size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = 0.25 * (a[i * m + j - 1] + a[i * m + j + 1]) + weight[0] * a[(i - 1) * m + j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j];
    }
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    free(a);
    free(b);
    return 0;
}
