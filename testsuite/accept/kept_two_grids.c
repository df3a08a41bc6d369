// One function steps two grids in turn; between steps the host exchanges grids itself, frees one and gets another.
// args: 18 9 ; 31 4
#include "dump.h"

static void run(double **from, double **to, int n, int steps, double c)
{
    double *a = *from, *b = *to;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n - 2; i++)
            b[i] = a[i] + c * (a[i - 2] - a[i + 1]);
        printf("%d\n", t);
        double *old = a;
        a = b;
        b = old;
    }
    *from = a;
    *to = b;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 18), steps = argument(argc, argv, 2, 9);
    double *a = new_double((size_t)n, 1), *b = new_double((size_t)n, 2);
    double *c = new_double((size_t)n, 3), *d = new_double((size_t)n, 4);
    for (int round = 0; round < 3; round++) {
        run(&a, &b, n, steps, 0.25);
        run(&c, &d, n - round, steps + round, 0.125);
        free(d);
        d = new_double((size_t)n, 5 + round);
    }
    show_double("a", a, (size_t)n);
    show_double("b", b, (size_t)n);
    show_double("c", c, (size_t)n);
    show_double("d", d, (size_t)n);
    return 0;
}
