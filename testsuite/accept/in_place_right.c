// In place, reading only elements that are not yet overwritten: legal without a second array.
// form: time levels: a[i][j] = 0.5 * a[i][j] + 0.25 * a[i][j + 1]
// args: 17 9 5 ; 8 31 3 ; 1 1 1
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double a[n][m];
    fill_double(&a[0][0], (size_t)n * m, 1);
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                a[i][j] = 0.5 * a[i][j] + 0.25 * a[i][j + 1] + 0.125 * a[i + 1][j];
    show_double("a", &a[0][0], (size_t)n * m);
    return 0;
}
