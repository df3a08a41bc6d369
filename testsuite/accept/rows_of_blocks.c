// What a table leads to has dimensions of its own: flat fields of one table, and blocks of rows of a declared length.
// form: rows behind pointers: f[2][i * m + j] = 0.5 * f[1][i * m + j + 1];
// form: rows behind pointers: double (**b)[WIDTH]
// args: 9 11 ; 7 18
#include "rows.h"

#define WIDTH 20

static void exchange(int n, int m, double **f, double (**b)[WIDTH])
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            b[1][i][j] = f[0][i * m + j] + 0.25 * (f[1][(i - 1) * m + j] + f[1][(i + 1) * m + j]) - b[0][i][j];
            f[2][i * m + j] = 0.5 * f[1][i * m + j + 1];
        }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), m = argument(argc, argv, 2, 11);
    double **f = new_rows(3, n * m, 1), **values = new_rows(2, n * WIDTH, 2);
    double(*b[2])[WIDTH];
    for (int k = 0; k < 2; k++)
        b[k] = (double(*)[WIDTH])values[k];
    exchange(n, m, f, b);
    show_rows("f", f, 3, n * m);
    show_rows("b", values, 2, n * WIDTH);
    return 0;
}
