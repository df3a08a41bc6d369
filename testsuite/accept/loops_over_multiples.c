// Loops that count by the length of a row, which only the running program knows, from one row to another.
// form: loops: i += m
// args: 12 9 7 ; 3 4 2 ; 7 2 5 ; 1 6 3 ; 6 6 0
#include "dump.h"
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 7);
    double *a = new_double(n * m, 1), *b = new_double(n * m, 2);
    long k;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = m; i < m * (n - 1); i += m)
            for (int j = 1; j < m - 1; j++)
                b[i + j] = 0.25 * (a[i + j - m] + a[i + j + m] + a[i + j - 1] + a[i + j + 1]);
        for (k = 0; k <= (long)n * m - 1; k += m)
            b[k] = b[k + m - 1] + 0.5;
        for (int i = 1; i < n * m - m; i = i + m)
            for (int j = i; j < i + m - 2; j++)
                a[j] = 0.5 * b[j] + 0.125 * b[j - 1];
    }
    show_double("a", a, n * m); show_double("b", b, n * m);
    return 0;
}
