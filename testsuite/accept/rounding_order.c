// The order of additions and multiplications shows in the last bits: a*b+c is not contracted.
// args: 37 29 5
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), m = argument(argc, argv, 2, 29);
    int steps = argument(argc, argv, 3, 5);
    double a[n][m], b[n][m];
    float x[n][m];
    fill_double(&a[0][0], (size_t)n * m, 1);
    fill_double(&b[0][0], (size_t)n * m, 2);
    fill_float(&x[0][0], (size_t)n * m, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = a[i][j] * a[i][j - 1] + a[i][j + 1] * 0.3 + (a[i - 1][j] + (a[i + 1][j] + 0.1))
                          - (a[i][j] - a[i - 1][j - 1]) - -a[i][j] * x[i][j] * x[i][j] / 3.0f * 0.7;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                a[i][j] = b[i][j] * 0.3 + 0.1;
                x[i][j] = x[i][j] * 0.5f + (float)a[i][j] * 0.3f;
            }
    }
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    show_float("x", &x[0][0], (size_t)n * m);
    return 0;
}
