// Loop variables used after loops that never ran: inner ones keep their old values.
// args: 9 9 0 ; 2 9 3 ; 9 2 3 ; 0 9 3 ; 9 9 2
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 2);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    int t = 100, i = 200, j = 300, k = 400;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                b[i * m + j] = a[i * m + j - 1] - 0.5 * a[(i + 1) * m + j];
        for (i = 1; i < n - 1; i++)
            for (k = 1; k < m - 1; k++)
                a[i * m + k] = b[i * m + k];
    }
    printf("t = %d, i = %d, j = %d, k = %d\n", t, i, j, k);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
