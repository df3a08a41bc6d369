// What loops leave in their variables is used behind them, in the nest itself: ends of rows, also in a function.
// form: loops: for (i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]); b[i] = b[i - 1];
// args: 5 17 ; 1 4 ; 0 9
#include "dump.h"

static void ends(int n, int i, const double *a, double *b)
{
    int j;
    for (j = n - 2; j > 0; j--)
        b[i * n + j] = a[i * n + j] + 0.25 * a[i * n + j + 1];
    b[i * n + j] = a[i * n + j + 1] - a[i * n + j];
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5), n = argument(argc, argv, 2, 17), t, i = -1;
    double *a = new_double(n, 1), *b = new_double(n, 2), *c = new_double(n * n, 3), *d = new_double(n * n, 4);
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        b[i] = b[i - 1];
        for (i = 0; i <= n - 1; i++)
            a[i] = b[i];
        for (i = 0; i != n; i++)
            ends(n, i, c, d);
        for (i = 0; i < n; i++)
            for (int j = 0; j < n - 1; j++)
                c[i * n + j] = d[i * n + j];
    }
    printf("%d %d\n", t, i);
    show_double("a", a, n);
    show_double("b", b, n);
    show_double("c", c, n * n);
    show_double("d", d, n * n);
    return 0;
}
