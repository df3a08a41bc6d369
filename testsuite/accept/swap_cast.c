// A function exchanges pointers whose addresses are cast to the type that they have.
// args: 19 23 9 ; 8 9 1
// form: time levels: swap((double **)&a, (double **)&b);
#include "dump.h"

static void swap(double **one, double **other)
{
    double *tmp = *one;
    *one = *other;
    *other = tmp;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), m = argument(argc, argv, 2, 23), steps = argument(argc, argv, 3, 9);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
        swap((double **)&a, (double **)&b);
    }
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
