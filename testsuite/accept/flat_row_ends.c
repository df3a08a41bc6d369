// Borders of a flat array at its row ends: the last element of a row is `i * m + m - 1`.
// args: 10 10 4 ; 13 7 5 ; 5 33 3 ; 3 2 2
#include "dump.h"

static void smooth(int n, int m, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = 0.25 * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j] + a[(i + 1) * m + j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j];
        for (int i = 0; i < n; i++) {
            a[i * m] = a[i * m + 1];
            a[i * m + m - 1] = a[i * m + m - 2];
        }
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 10), m = argument(argc, argv, 2, 10);
    int steps = argument(argc, argv, 3, 4);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    smooth(n, m, steps, a, b);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
