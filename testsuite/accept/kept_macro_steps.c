// A step is made of macros of several statements, and the host prints now and then.
// args: 20 30 ; 33 7 ; 20 2
// form: loops that the host keeps: SWEEP(u, v);
#include "dump.h"

#define SWEEP(from, to) do { \
    for (int i = 1; i < n - 1; i++) \
        to[i] = 0.5 * (from[i - 1] + from[i + 1]); \
} while (0)

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 30);
    double *u = new_double((size_t)n, 1), *v = new_double((size_t)n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        SWEEP(u, v);
        SWEEP(v, u);
        if (t % 8 == 3)
            printf("%d %a\n", t, u[n / 2]);
    }
    show_double("u", u, (size_t)n);
    show_double("v", v, (size_t)n);
    return 0;
}
