// Float arrays with double constants and a double field: C's promotions decide every rounding.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    float *a = new_float((size_t)n * m, 1);
    double *b = new_double((size_t)n * m, 2);
    float third = 1.0f / 3.0f;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = 0.1 * a[i * m + j] + third * a[i * m + j - 1] * a[i * m + j + 1]
                               + 0.3 * (a[(i - 1) * m + j] + a[(i + 1) * m + j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j] + third;
    }
    show_float("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
