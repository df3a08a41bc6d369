// Copy back of the interior only: each buffer keeps its own border.
// form: time levels: a[i][j] = b[i][j];
// args: 17 9 5 ; 8 31 3 ; 11 7 6 ; 9 9 1
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double a[n][m], b[n][m];
    fill_double(&a[0][0], (size_t)n * m, 1);
    fill_double(&b[0][0], (size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n - 2; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.25 * (a[i - 2][j] + a[i + 2][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 3; i < n - 3; i++)
            for (int j = 2; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    return 0;
}
