// A factor and an index that turn from what a parameter says: the factor from any number, products of rows in parentheses.
// args: 13 9 4 5 ; 5 6 7 -3 ; 3 3 1 0
#include "dump.h"

static void turn(int n, int m, int steps, int alpha, double (*a)[n][m])
{
    int now = steps % 2;
#pragma stencil
    for (int t = steps; t > 0; t--) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[!now][i][j] = -(alpha * (a[now][i])[j]) - a[now][i - 1][j] + 0.5 * a[now][i][j + 1];
        now = 1 - now;
        alpha = 1 - alpha;
    }
    printf("%d %d\n", now, alpha);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    size_t count = 2 * (size_t)n * m;
    double *a = new_double(count, 1);
    turn(n, m, steps, argument(argc, argv, 4, 1), (double(*)[n][m])a);
    show_double("a", a, count);
    return 0;
}
