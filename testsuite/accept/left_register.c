// Register variables and restrict pointers that outlive the nest.
// args: 17 5 ; 14 0 ; 13 3
#include "dump.h"

typedef double *restrict lane;

static int in_registers(register int n, int steps, register double *a, register double *b)
{
    register int t, i;
    register double *swap;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        swap = a;
        a = b;
        b = swap;
    }
    show_double("a", a, n);
    return t;
}

static void restricted(int n, int steps, double *restrict a, double *restrict b)
{
    double *restrict swap;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        swap = a;
        a = b;
        b = swap;
    }
    show_double("a", a, n);
    show_double("b", b, n);
}

static void named(int n, int steps, lane a, lane b)
{
    register int i, k = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++) {
            k = i + t;
            b[i] = 0.5 * (a[i - 1] + a[i + 1]) + k;
        }
        lane swap = a;
        a = b;
        b = swap;
    }
    printf("%d %d\n", steps > 0 ? i : 0, k);
    show_double("a", a, n);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    printf("%d\n", in_registers(n, steps, a, b));
    restricted(n, steps, a, b);
    named(n, steps, a, b);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
