/* Rows of the tables meet each other, and a flat array, in every call but the last. */
#include "rows.h"

static void blur(int n, int m, int steps, double **a, double **b, const double *weight)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = weight[j] * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
}

int main(void)
{
    int n = 9, m = 17;
    double **a = new_rows(n, m, 1), **b = new_rows(n, m, 2), *weight = new_double(m, 3);
    double *row = b[5];
    b[5] = b[3] + 2;
    blur(n, m - 2, 4, a, b, weight);
    b[5] = a[5];
    blur(n, m, 3, a, b, weight);
    b[5] = row;
    blur(n, m, 5, a, b, b[4]);
    /* Rows that the nest does not use may be anywhere. */
    b[0] = b[n - 1] = a[1];
    blur(n, m, 6, a, b, weight);
    show_rows("a", a, n, m);
    show_rows("b", b, n, m);
    return 0;
}
