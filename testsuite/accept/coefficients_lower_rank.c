// Coefficients of one dimension, by row and by column, and weights in a small array.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

static const double weight[3] = {0.5, 0.3, 0.2};

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double a[n][m], b[n][m], by_row[n], by_column[m];
    fill_double(&a[0][0], (size_t)n * m, 1);
    fill_double(&b[0][0], (size_t)n * m, 2);
    fill_double(by_row, n, 3);
    fill_double(by_column, m, 4);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = weight[0] * a[i][j] + weight[1] * by_row[i] * (a[i - 1][j] + a[i + 1][j])
                          + weight[2] * by_column[j] * (a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    show_double("by_row", by_row, n);
    return 0;
}
