// A function with a nest that is called in two places, and short enough for a compiler to put it there: [n [calls]].
#include "dump.h"

static void blur(int n, double a[n][n], double b[n][n])
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 10), calls = argument(argc, argv, 2, 7);
    double(*a)[n] = (void *)new_double((size_t)n * n, 1), (*b)[n] = (void *)new_double((size_t)n * n, 2);
    for (int call = 0; call < calls; call += 2) {
        blur(n, a, b);
        blur(n, b, a);
    }
    show_double("a", &a[0][0], (size_t)n * n);
    show_double("b", &b[0][0], (size_t)n * n);
    return 0;
}
