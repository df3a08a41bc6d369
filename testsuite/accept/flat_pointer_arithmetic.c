// Elements reached by *(a + offset).
// form: subscripts: *(a + (i - 1) * m + j)
// args: 17 9 5 ; 8 31 3
#include "dump.h"

static void smooth(double *a, double *b, int n, int m, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                *(b + i * m + j) = 0.25 * (*(a + i * m + j - 1) + *(a + i * m + j + 1)
                                           + *(a + (i - 1) * m + j) + *(a + (i + 1) * m + j));
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                *(a + (i * m + j)) = *(b + i * m + j);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    smooth(a, b, n, m, steps);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
