// The two arrays overlap: the program notices and runs the original loops.
// args: 37 5 ; 20 3
// fallback: expected
#include "dump.h"

static void relax(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double((size_t)2 * n, 1);
    relax(n, steps, a, a + 3);
    show_double("a", a, (size_t)2 * n);
    return 0;
}
