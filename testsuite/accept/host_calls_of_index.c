// Functions of the library of one index, with steps and without.
// args: 17 5 ; 9 0
#include "dump.h"
#include <math.h>
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5), m = 12;
    double *a = new_double(n * m, 1), *b = new_double(n * m, 2);
    double dx = 0.13, dy = 0.17;
#pragma stencil
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = sin(i * dx) * cos(dy * j) + exp(-dx) + sqrt(sin(j * 0.1) + 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 2; j < m - 1; j++) {
                double damp = exp(-0.1 * (i - 1)), other = log(1.0 + j);
                b[i * m + j] = damp * (a[i * m + j - 1] + a[i * m + j + 1]) + other * cos(dx * t);
            }
        for (int i = 8; i > 0; i--)
            for (int j = 2; j < m - 1; j++)
                a[i * m + j] = b[i * m + j] * exp(-0.01 * i);
    }
    show_double("a", a, n * m);
    show_double("b", b, n * m);
    return 0;
}
