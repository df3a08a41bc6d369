// Small arrays of the nest's own, or of a function's, in which data chooses an element.
// form: bodies: h[i][j] = rule[count];
// args: 12 9 7 ; 4 4 2 ; 7 3 5 ; 6 6 0
#include "dump.h"
static double limited(double left, double right, int way)
{
    double slope[4];
    slope[0] = 0;
    slope[1] = left;
    slope[3] = right;
    return slope[way == 2 ? 3 : way];
}
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 7);
    int (*g)[m] = malloc(n * m * sizeof(int)), (*h)[m] = malloc(n * m * sizeof(int));
    double *a = new_double(n * m, 1), *b = new_double(n * m, 2);
    for (int i = 0; i < n * m; i++)
        g[i / m][i % m] = h[i / m][i % m] = a[i] > 0.1 * (i % 7);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        int rule[9] = {0, 0, 0, 1, 0, 0, 0, 0, 0};
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int count = 0;
                for (int k = -1; k <= 1; k++)
                    for (int l = -1; l <= 1; l++)
                        count += k || l ? g[i + k][j + l] : 0;
                rule[2] = g[i][j];
                h[i][j] = rule[count];
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                const double weight[2][3] = {{0.5, 0.25, 0.125}, {0.75, 0.375}};
                g[i][j] = h[i][j];
                b[i * m + j] = weight[h[i][j]][(h[i - 1][j] + h[i + 1][j]) % 3] * a[i * m + j];
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j] + limited(b[i * m + j - 1], b[i * m + j + 1], h[i][j] + h[i][j - 1]);
    }
    for (int i = 0; i < n * m; i++)
        a[i] += g[i / m][i % m] + 2 * h[i / m][i % m];
    show_double("a", a, n * m); show_double("b", b, n * m);
    return 0;
}
