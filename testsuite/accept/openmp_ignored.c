// Loops that threads of a parallel region would share, if the program were compiled for OpenMP, which it is not.
// args: 5 41
// cflags: -Wno-unknown-pragmas
#include "dump.h"

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5), n = argument(argc, argv, 2, 41), i, t;
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma omp parallel private(t, i)
    {
#pragma stencil
        for (t = 0; t < steps; t++) {
#pragma omp for
            for (i = 1; i < n - 1; i++)
                b[i] = a[i - 1] + 0.5 * a[i + 1];
#pragma omp for
            for (i = 1; i < n - 1; i++)
                a[i] = b[i];
        }
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
