// Two sums over part of a grid, which the host takes before the sweeps of a step: they need a value made of both, and it is printed.
// args: 21 17 1 ; 21 17 6 ; 40 9 11
// form: loops that the host keeps: q = (squares / points - mean * mean) / (mean * mean);
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 21), m = argument(argc, argv, 2, 17), steps = argument(argc, argv, 3, 6);
    int points = (n - 6) * (m - 5);
    double *a = new_double(n * m, 1), *c = new_double(n * m, 2), sum, squares, mean, q = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sum = 0;
        squares = 0;
        for (int i = 2; i < n - 4; i++)
            for (int j = 2; j < m - 3; j++) {
                double value = a[i * m + j];
                sum += value;
                squares += value * value;
            }
        mean = sum / points;
        q = (squares / points - mean * mean) / (mean * mean);
        printf("%d %a\n", t, q);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                c[i * m + j] = 1 / (1 + q + a[i * m + j + 1] * a[i * m + j - 1]);
        fflush(stdout);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] += 0.125 * (c[(i + 1) * m + j] - c[(i - 1) * m + j]);
    }
    show_double("a", a, n * m);
    show_double("c", c, n * m);
    printf("%a %a\n", mean, q);
    return 0;
}
