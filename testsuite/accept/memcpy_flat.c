// Copy back by memcpy of the whole flat array: borders of the second array come along.
// form: time levels: memcpy(a, b, n * m * sizeof(double));
// args: 17 9 5 ; 8 31 3 ; 3 3 1
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    size_t size = (size_t)n * m;
    double *a = new_double(size, 1), *b = new_double(size, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = 0.25 * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j]
                                       + a[(i + 1) * m + j]);
        memcpy(a, b, n * m * sizeof(double));
    }
    show_double("a", a, size);
    show_double("b", b, size);
    return 0;
}
