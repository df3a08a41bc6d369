// Whole accesses are macros.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

#define A(i, j) a[(i) * m + (j)]
#define B(i, j) (*(b + (i) * m + (j)))
#define NEIGHBOURS(F, i, j) (F(i, (j) - 1) + F(i, (j) + 1) + F((i) - 1, j) + F((i) + 1, j))

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                B(i, j) = 0.25 * NEIGHBOURS(A, i, j);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A(i, j) = B(i, j);
    }
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
