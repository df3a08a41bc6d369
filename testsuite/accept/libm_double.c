// Functions of libm whose results are exact, in double precision.
// args: 37 5 ; 20 4
#include "dump.h"
#include <math.h>

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            double dx = a[i + 1] - a[i - 1];
            b[i] = sqrt(dx * dx + 1e-3) + fabs(a[i]) - fmin(a[i - 1], a[i + 1])
                   + fmax(dx, 0.0) * floor(4.0 * dx) + ceil(dx) - trunc(3.0 * dx)
                   + fma(a[i], dx, 0.1) + copysign(0.25, dx);
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = 0.0625 * b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
