// Loop variables and sizes of type long, mixed with int.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1, 17);
    int m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    double *a = new_double(n * m, 1), *b = new_double(n * m, 2);
    long i = 0;
    long long j = 0;
    short t = 0;
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
    printf("t = %d, i = %ld, j = %lld\n", t, i, j);
    show_double("a", a, n * m);
    show_double("b", b, n * m);
    return 0;
}
