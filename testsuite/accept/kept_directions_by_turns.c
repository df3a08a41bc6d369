// A step that the host prints sweeps along rows and columns in turn, whichever the host's variable says is first.
// args: 0 9 ; 1 12
// form: loops that the host keeps: rows_first = !rows_first;
#include <stdio.h>
#include <stdlib.h>

#include "dump.h"

static int rows_first;

static void along_rows(double *a, double *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i * n] = a[i * n + n - 2];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i * n + j] = a[i * n + j] + 0.25 * (a[i * n + j - 1] - a[i * n + j]);
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            a[i * n + j] = b[i * n + j];
}

static void along_columns(double *a, double *b, int n)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i * n + j] = a[i * n + j] + 0.125 * (a[(i - 1) * n + j] - a[i * n + j]);
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            a[i * n + j] = b[i * n + j];
}

static void step(double *a, double *b, int n)
{
    if (rows_first) {
        along_rows(a, b, n);
        along_columns(a, b, n);
    } else {
        along_columns(a, b, n);
        along_rows(a, b, n);
    }
    rows_first = !rows_first;
}

int main(int argc, char **argv)
{
    int n = 23, steps = argument(argc, argv, 2, 5);
    double *a = new_double(n * n, 1), *b = new_double(n * n, 2);
    rows_first = argument(argc, argv, 1, 0);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        step(a, b, n);
        if (t % 4 == 0)
            printf("%d %d\n", t, rows_first);
    }
    show_double("a", a, n * n);
    show_double("b", b, n * n);
    free(a);
    free(b);
    return 0;
}
