// The arrays are larger than what the loops touch, as in PolyBench.
// args: 11 5 ; 20 3
#include "dump.h"

#define MAXN 25

static double a[MAXN][MAXN + 2], b[MAXN + 1][MAXN];

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 11), steps = argument(argc, argv, 2, 5);
    fill_double(&a[0][0], MAXN * (MAXN + 2), 1);
    fill_double(&b[0][0], (MAXN + 1) * MAXN, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i + 1][j] = 0.25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i + 1][j];
    }
    show_double("a", &a[0][0], MAXN * (MAXN + 2));
    show_double("b", &b[0][0], (MAXN + 1) * MAXN);
    return 0;
}
