// Rows through a pointer to their first element, and flat memory through pointers to rows, all made inside the nest.
// form: subscripts: double (*rows)[m] = (double (*)[m])flat;
// args: 17 9 5 ; 6 33 4 ; 3 3 2
#include "dump.h"

#define W 11

static double table[W][W];

static void smooth(int n, int m, int steps, double (*a)[m], double *flat)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double *p = &a[0][0];
        double (*rows)[m] = (double (*)[m])flat;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                rows[i][j] = 0.25 * (p[(i - 1) * m + j] + p[(i + 1) * m + j] + p[i * m + j - 1] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                p[i * m + j] = flat[i * m + j];
    }
}

static void shift(int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double *p = (double *)table;
        for (int i = 0; i < W - 1; i++)
            for (int j = 0; j < W; j++)
                p[i * W + j] = 0.5 * p[(i + 1) * W + j] + 0.5 * table[i][j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    fill_double(table[0], W * W, 3);
    smooth(n, m, steps, (double (*)[m])a, b);
    shift(steps);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    show_double("table", table[0], W * W);
    return 0;
}
