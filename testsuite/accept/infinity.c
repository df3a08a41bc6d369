// The constants INFINITY, HUGE_VAL and NAN: the least neighbour of the points that a mask lets through.
// args: 17 3 ; 30 8
#include <math.h>

#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 3);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    float *c = new_float(n, 3);
#pragma stencil extent(a[0:n])
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            double least = c[i] > 0.3f ? NAN : HUGE_VAL;
            least = fmin(least, c[i - 1] > 0.5f ? a[i - 1] : INFINITY);
            least = fmin(least, a[i + 1]);
            b[i] = least;
            c[i] = c[i] > 0.9f ? -INFINITY : c[i] * 1.5f;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = 0.5 * (a[i] + b[i]);
    }
    show_double("a", a, n);
    show_double("b", b, n);
    show_float("c", c, n);
    double most = NAN;
#pragma stencil
    for (int i = 0; i < n; i++) {
        b[i] = 0.5 * a[i];
        if (!(a[i] <= most))
            most = a[i];
    }
    printf("%a\n", most);
    return 0;
}
