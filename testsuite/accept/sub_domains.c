// Different formulas on parts of the grid: left, right, and one inner rectangle twice.
// form: loops: for (int j = half; j < m - 1; j++)
// args: 17 19 5 ; 12 31 3 ; 8 8 2
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 19);
    int steps = argument(argc, argv, 3, 5), half = m / 2;
    double a[n][m], b[n][m];
    fill_double(&a[0][0], (size_t)n * m, 1);
    fill_double(&b[0][0], (size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < half; j++)
                b[i][j] = 0.5 * (a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = half; j < m - 1; j++)
                b[i][j] = 0.5 * (a[i - 1][j] + a[i + 1][j]);
        for (int i = 2; i < n - 3; i++)
            for (int j = 3; j < m - 2; j++)
                b[i][j] += 0.1 * a[i][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    return 0;
}
