// Single precision throughout, with f-suffixed constants.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    float *a = new_float((size_t)n * m, 1), *b = new_float((size_t)n * m, 2);
    float c0 = 0.3f;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = c0 * a[i * m + j]
                               + 0.17f * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j]
                                          + a[(i + 1) * m + j]) / 1.1f;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j];
    }
    show_float("a", a, (size_t)n * m);
    show_float("b", b, (size_t)n * m);
    return 0;
}
