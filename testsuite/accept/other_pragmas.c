// Pragmas of others around and inside the nest: they mean nothing here and do no harm.
// args: 37 5
// cflags: -Wno-unknown-pragmas
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma scop
#pragma stencil
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
#pragma GCC ivdep
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
#pragma endscop
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
