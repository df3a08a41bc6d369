// Between two sweeps the host looks at what a step has folded into what a pointer leads to, and stores an element: both need what
// the step has made so far.
// args: 21 16 44 ; 9 9 5 ; 12 30 20
#include "dump.h"

static unsigned any_of(int n, int m, const double *a)
{
    unsigned any = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i * m + j] >= -0.1)
                any = 1;
    return any;
}

static void advance(int n, int m, int steps, unsigned *any, double *a, double *b)
{
    double gathered = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        (*any) = 0;
        (*any) = any_of(n, m, a);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = 0.9 * a[(i - 1) * m + j] - 0.125 * a[i * m + j + 1];
        printf("step %d\n", t);
        if (t % 8 == 3)
            gathered += (*any);
        if (t % 6 == 2)
            b[m / 2] = 3;
    }
    printf("gathered %.17g\n", gathered);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    unsigned any = 0;
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    advance(n, m, steps, &any, a, b);
    printf("any %u\n", any);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
