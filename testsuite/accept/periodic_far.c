// Flat arrays, padded or with two values a point, whose rows go round by more than one place, by remainders, `?:` and corrected variables.
// args: 13 9 4 ; 5 6 7 ; 3 3 2
#include "dump.h"

static void ring(int n, int m, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int west = j - 3;
                if (west < 0)
                    west += m;
                b[i * m + j] = 0.5 * a[i * m + (j - 2 + m) % m] + 0.25 * a[i * m + (j < m - 2 ? j + 2 : j + 2 - m)] -
                               0.125 * a[i * m + west] + 0.25 * a[(i + 2) % n * m + j];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i * m + j] = b[i * m + j];
    }
}

static void pairs(int n, int m, int steps, double *a)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int west = j - 2;
                if (west < 0)
                    west += m;
                a[(i * (m + 1) + j) * 2] += 0.5 * a[(i * (m + 1) + west) * 2 + 1];
            }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    size_t count = (size_t)n * m, padded = 2 * (size_t)n * (m + 1);
    double *a = new_double(count, 1), *b = new_double(count, 2), *c = new_double(padded, 3);
    ring(n, m, steps, a, b);
    pairs(n, m, steps, c);
    show_double("a", a, count);
    show_double("b", b, count);
    show_double("c", c, padded);
    return 0;
}
