// Steps that compute other elements each time run one by one: a domain that grows, one whose bound the nest changes, colours of a
// checkerboard that take turns, and the trailing part of a matrix.
// form: time levels: for (int i = n - t; i < n + t; i++)
// form: time levels: for (int j = 1 + (i + t) % 2; j < m - 1; j += 2)
// args: 12 5 ; 4 1 ; 3 0 ; 16 9
#include "dump.h"

static void spread(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = n - t; i < n + t; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = n - t; i < n + t; i++)
            a[i] = b[i];
    }
}

static int shrink(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        n = n - 1;
    }
    return n;
}

static void take_turns(int n, int m, int steps, double u[n][m])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1 + (i + t) % 2; j < m - 1; j += 2)
                u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    }
}

static void eliminate(int n, double a[n][n])
{
#pragma stencil
    for (int k = 0; k < n - 1; k++) {
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] -= 0.0625 * a[i][k] * a[k][j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), steps = argument(argc, argv, 2, 5);
    size_t size = (size_t)2 * n + steps;
    double *a = new_double(size * size, 1), *b = new_double(size, 2);
    spread(n, steps < n ? steps : n, a, b);
    show_double("spread", a, size);
    printf("%d\n", shrink(2 * n, steps, a, b));
    show_double("shrink", a, size);
    take_turns(n, n + 1, steps, (double(*)[n + 1])a);
    show_double("turns", a, size * size);
    eliminate(n, (double(*)[n])a);
    show_double("matrix", a, size * size);
    return 0;
}
