// Bounds that are sums, multiples and halves of parameters.
// args: 17 9 3 ; 8 31 1 ; 9 9 0
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 3);
    double a[2 * n][m + 2], b[2 * n][m + 2];
    size_t size = (size_t)2 * n * (m + 2);
    fill_double(&a[0][0], size, 1);
    fill_double(&b[0][0], size, 2);
#pragma stencil
    for (int t = 0; t < 2 * steps - 1; t++) {
        for (int i = 1 + 1; i < 2 * (n - 1); i++)
            for (int j = 2 - 1; j < m / 2 + 1; j++)
                b[i][j] = 0.25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (int i = 2; i <= n + n - 3; i++)
            for (int j = 1; j <= m / 2; j++)
                a[i][j] = b[i][j];
    }
    show_double("a", &a[0][0], size);
    show_double("b", &b[0][0], size);
    return 0;
}
