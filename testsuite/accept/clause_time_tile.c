// Clauses that fix the plan: time tile, tile shape, points per work-item.
// args: 37 29 7 ; 20 9 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), m = argument(argc, argv, 2, 29);
    int steps = argument(argc, argv, 3, 7);
    double a[n][m], b[n][m];
    fill_double(&a[0][0], (size_t)n * m, 1);
    fill_double(&b[0][0], (size_t)n * m, 2);
#pragma stencil time_tile(3) tile(12, 6) per_item(2) strategy(local)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    return 0;
}
