// Pointers and sizes that are global variables.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

static double *a, *b;
static int n, m;
int steps;

static void smooth(void)
{
    int t, i, j;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                b[i * m + j] = 0.25 * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j]
                                       + a[(i + 1) * m + j]);
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j];
    }
}

int main(int argc, char **argv)
{
    n = argument(argc, argv, 1, 17);
    m = argument(argc, argv, 2, 9);
    steps = argument(argc, argv, 3, 5);
    a = new_double((size_t)n * m, 1);
    b = new_double((size_t)n * m, 2);
    smooth();
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
