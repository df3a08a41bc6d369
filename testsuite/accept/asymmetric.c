// A stencil that looks only to one side, further in one dimension than in the other.
// args: 17 13 5 ; 8 31 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 13);
    int steps = argument(argc, argv, 3, 5);
    double a[n][m], b[n][m];
    fill_double(&a[0][0], (size_t)n * m, 1);
    fill_double(&b[0][0], (size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n - 3; i++)
            for (int j = 1; j < m; j++)
                b[i][j] = 0.5 * a[i + 3][j - 1] + 0.25 * a[i + 1][j] + 0.25 * a[i + 2][j - 1];
        for (int i = 0; i < n - 3; i++)
            for (int j = 1; j < m; j++)
                a[i][j] = b[i][j];
    }
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    return 0;
}
