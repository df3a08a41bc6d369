// Rows that a mask leaves out are not there, or shorter than the others: the original loops run.
// args: 0 ; 1 ; 2
// fallback: expected
#include <stdlib.h>

#include "dump.h"

static void halve(int n, int m, int steps, const int *mask, double **u)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                if (mask[i * m + j])
                    u[i][j] *= 0.5;
}

int main(int argc, char **argv)
{
    int kind = argument(argc, argv, 1, 0), n = 6, m = 40;
    double *u[6], *one = new_double(m, 9);
    int *mask = malloc(n * m * sizeof *mask);
    for (int i = 0; i < n; i++)
        u[i] = new_double(m, i);
    if (kind == 0)
        u[2] = NULL;
    if (kind == 1)
        u[2] = new_double(1, 7);
    if (kind == 2)
        u[n - 1] = (double *)sizeof *u;
    int left = kind < 2 ? 2 : n - 1;
    for (int k = 0; k < n * m; k++)
        mask[k] = k / m != left;
    halve(n, m, 3, mask, u);
    for (int i = 0; i < n; i++)
        if (i != left)
            show_double("u", u[i], m);
    show_double("one", one, m);
    return 0;
}
