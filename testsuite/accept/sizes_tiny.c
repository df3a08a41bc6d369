// Sizes below the stencil's radius, sizes of zero and of one, negative steps.
// args: 2 2 3 ; 1 1 3 ; 0 0 3 ; 1 9 3 ; 9 1 3 ; 3 3 3 ; 9 9 -2 ; 3 9 1
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 2), m = argument(argc, argv, 2, 2);
    int steps = argument(argc, argv, 3, 3);
    size_t size = (size_t)n * m;
    double *a = new_double(size, 1), *b = new_double(size, 2);
    double *first = a;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = 0.25 * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j]
                                       + a[(i + 1) * m + j]);
        double *swap = a;
        a = b;
        b = swap;
    }
    printf("%d\n", a == first);
    show_double("a", a, size);
    show_double("b", b, size);
    return 0;
}
