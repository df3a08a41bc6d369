// Loops tiled by hand with sizes that only the running program knows: by a minimum, by `&&`, by a temporary.
// form: loops: for (ii = 1; ii < n - 1; ii += rows)
// form: loops: for (jj = 0; jj <= m - 1; jj += columns + 1)
// args: 19 9 5 3 2 ; 6 33 4 1 40 ; 3 2 2 7 1
#include "dump.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))

static void smooth(int n, int m, int steps, int rows, int columns, double *a, double *b)
{
    int i, j, ii, jj;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (ii = 1; ii < n - 1; ii += rows)
            for (jj = 0; jj <= m - 1; jj += columns + 1) {
                int end = ii + rows;
                if (end > n - 1)
                    end = n - 1;
                for (i = ii; i < end; i++)
                    for (j = jj; j <= jj + columns && j < m; j++)
                        b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j]) + 0.5 * a[i * m + j];
            }
        for (i = 1; i < n - 1; i += columns)
            for (ii = i; ii < MIN(i + columns, n - 1); ii++)
                for (j = 0; j < m; j++)
                    a[ii * m + j] = b[ii * m + j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    smooth(n, m, steps, argument(argc, argv, 4, 3), argument(argc, argv, 5, 2), a, b);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
