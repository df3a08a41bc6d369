// Subscripts that go round, by remainders, `?:`, an `if` and a macro, in loops over all points.
// form: subscripts: a[(i - 1 + n) % n][j]
// form: subscripts: a[i == 0 ? n - 1 : i - 1][MOD(j - 1, m)]
// form: subscripts: if (south >= n) south -= n;
// args: 17 9 5 ; 6 33 4 ; 3 2 7 ; 1 2 2
// notes: no time tiles
#include "dump.h"

#define MOD(i, n) ((((i) % (n)) + (n)) % (n))

static void advect(int n, int m, int steps, double (*a)[m], double (*b)[m])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int south = i + 1, east = (j < m - 1) ? j + 1 : 0;
                if (south >= n)
                    south -= n;
                b[i][j] = 0.25 * (a[(i - 1 + n) % n][j] + a[south][j] + a[i][east] + a[i == 0 ? n - 1 : i - 1][MOD(j - 1, m)]);
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[(i + 1) % n][j] = b[i][j] + 0.125 * b[(i + 2 * n - 1) % n][(j + 1) % m];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    advect(n, m, steps, (double (*)[m])a, (double (*)[m])b);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
