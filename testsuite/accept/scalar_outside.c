// Scalars declared before the nest, written at every point and dead afterwards.
// form: bodies: c = 2.0 * a[i][j];
// args: 17 9 5 ; 8 31 3
#include "dump.h"

static void smooth(int n, int m, int steps, double a[n][m], double b[n][m])
{
    int t, i, j;
    double dx, dy, c;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++) {
                c = 2.0 * a[i][j];
                dx = a[i][j - 1] + a[i][j + 1] - c;
                dy = a[i - 1][j] + a[i + 1][j] - c;
                b[i][j] = a[i][j] + 0.1 * dx + 0.15 * dy;
            }
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++) {
                c = b[i][j];
                a[i][j] = c;
            }
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    smooth(n, m, steps, (double (*)[m])a, (double (*)[m])b);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
