// One sweep, no time loop.
// form: loops: for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) b[i][j]
// args: 17 9 ; 8 31 ; 3 3 ; 2 2
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    double a[n][m], b[n][m];
    fill_double(&a[0][0], (size_t)n * m, 1);
    fill_double(&b[0][0], (size_t)n * m, 2);
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    return 0;
}
