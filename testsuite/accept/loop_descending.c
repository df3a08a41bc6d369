// Loops that run downwards with >= and --.
// form: loops: for (t = steps - 1; t >= 0; t--) {
// args: 17 9 5 ; 11 13 3 ; 3 3 1
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    int t = 0, i = 0, j = 0;
#pragma stencil
    for (t = steps - 1; t >= 0; t--) {
        for (i = n - 2; i >= 1; i--)
            for (j = m - 2; j >= 1; --j)
                b[i * m + j] = 0.3 * a[i * m + j - 1] + 0.7 * a[(i + 1) * m + j];
        for (i = n - 2; i >= 1; --i)
            for (j = m - 2; j >= 1; j--)
                a[i * m + j] = b[i * m + j];
    }
    printf("t = %d, i = %d, j = %d\n", t, i, j);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
