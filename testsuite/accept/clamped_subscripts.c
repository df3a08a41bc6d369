// Subscripts that stop at the wall, by macros, truth values, an absolute value and temporaries: pieces with constant offsets.
// form: subscripts: if (north < 0) north = 0;
// form: subscripts: a[i + (i < n - 1)][j]
// form: subscripts: a[MAX(i - 2, 0)][MIN(j + 2, m - 1)]
// form: subscripts: a[i][abs(j - 1)]
// args: 17 9 5 ; 6 33 4 ; 3 2 7 ; 1 2 2
#include "dump.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static void smooth(int n, int m, int steps, double (*a)[m], double (*b)[m])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int north = i - 1, east = j < m - 1 ? j + 1 : j;
                if (north < 0)
                    north = 0;
                b[i][j] = 0.2 * (a[north][j] + a[i + (i < n - 1)][j] + a[i][east] + a[MAX(i - 2, 0)][MIN(j + 2, m - 1)])
                          + 0.1 * a[i][abs(j - 1)];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = b[i][j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    smooth(n, m, steps, (double (*)[m])a, (double (*)[m])b);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
