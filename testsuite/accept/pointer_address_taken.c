// The address of an element is taken at every point and used through a pointer.
// form: subscripts: const double *here = &a[i * m + j];
// args: 17 11 5 ; 30 8 2
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 11), steps = argument(argc, argv, 3, 5);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                const double *here = &a[i * m + j];
                *(&b[i * m] + j) = 0.25 * (here[-1] + here[1] + here[-m] + *(here + m));
            }
        for (int i = 1; i < n - 1; i++) {
            double *row = a + i * m;
            for (int j = 1; j < m - 1; j++)
                row[j] = b[i * m + j];
        }
    }
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
