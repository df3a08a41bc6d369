// Structures that are exchanged as a whole have other sizes: the original loops run.
// args: 33 9 ; 12 4
// fallback: expected
#include "dump.h"

struct line { int n; double *u; };

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 33), steps = argument(argc, argv, 2, 9);
    struct line a = { n, new_double((size_t)n, 1) }, b = { n - 3, new_double((size_t)n, 2) }, old;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < a.n - 1; i++)
            b.u[i] = 0.5 * (a.u[i - 1] + a.u[i + 1]);
        old = a;
        a = b;
        b = old;
    }
    show_double("first", a.u, (size_t)n);
    show_double("second", b.u, (size_t)n);
    printf("%d %d\n", a.n, b.n);
    return 0;
}
