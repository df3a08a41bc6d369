// Macros of any short name may stand before the header of the host functions, and words of C may be macros, too.
#include "dump.h"
#define small 1
#define rest 2
#define waits 3
#define frame 4
#define quick 5
#define count 8
#define inline
#include <math.h>

static void sweep(int n, int steps, int *restrict a, int *restrict b)
{
    int t, i;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i] - a[i + 1];
        for (i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    printf("%d %d\n", t, i);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), steps = argument(argc, argv, 2, 9);
    int *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b);
    if (!a || !b)
        return 2;
    for (int i = 0; i < n; i++)
        a[i] = b[i] = i * i % 17;
    sweep(n, steps, a, b);
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    free(a);
    free(b);
    return 0;
}
