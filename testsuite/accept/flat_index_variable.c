// The index is computed once a point into a local variable.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

static void smooth(double *a, double *b, int n, int m, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int here = i * m + j;
                const int above = here - m;
                b[here] = 0.25 * (a[here - 1] + a[here + 1] + a[above] + a[here + m]);
            }
        for (int i = 1; i < n - 1; i++) {
            int row = i * m;
            for (int j = 1; j < m - 1; j++)
                a[row + j] = b[row + j];
        }
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
