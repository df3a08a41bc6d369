// Conditions on the loop variables: a boundary treated inside the sweep.
// form: bodies: if (i == 0 || j == 0 || i == n - 1 || j == m - 1)
// args: 17 9 5 ; 8 31 3 ; 2 2 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                if (i == 0 || j == 0 || i == n - 1 || j == m - 1)
                    b[i * m + j] = 0.5 * a[i * m + j];
                else if (i + j < n)
                    b[i * m + j] = 0.25 * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j]
                                           + a[(i + 1) * m + j]);
                else
                    b[i * m + j] = a[i * m + j];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i * m + j] = b[i * m + j];
    }
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
