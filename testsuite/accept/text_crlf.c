// A file with CRLF line ends.
// args: 17 9 5 ; 12 21 3 ; 5 5 2
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5), first = 2;
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    int t = 0, i = 0, j = 0;
#pragma stencil
    for (t = 1; t <= steps; t++) {
        for (i = first; i <= n - 2; i++)
            for (j = first; j <= m - 2; j++)
                b[i * m + j] = 0.2 * (a[i * m + j] + a[i * m + j - 1] + a[i * m + j + 1]
                                      + a[(i - 1) * m + j] + a[(i + 1) * m + j]);
        for (i = first; i <= n - 2; i++)
            for (j = first; j <= m - 2; j++)
                a[i * m + j] = b[i * m + j];
    }
    printf("t = %d, i = %d, j = %d\n", t, i, j);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
