// The nest is the last thing in the file, which ends without a line end.
// args: 37 5
#include "dump.h"

static void relax(int n, int steps, double *a, double *b);

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    relax(n, steps, a, b);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}

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