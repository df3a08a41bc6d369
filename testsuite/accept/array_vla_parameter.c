// Parameters that are arrays of variable size.
// form: subscripts: double a[n][m]
// args: 17 9 5 ; 8 31 3 ; 3 4 7
#include "dump.h"

static void smooth(int n, int m, int steps, double a[n][m], double b[n][m])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
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
