// Functions of the library of elements: devices compute them, within some units in the last place of the host's results.
// args: 24 ; 3
// notes: `sin` may differ in the last bits
#include "dump.h"
#include <math.h>

/* How many of the elements are nowhere near what the host's function gives. */
static int wrong(int n, const double *a, const double *x, double (*function)(double))
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += !(fabs(a[i] - function(x[i])) <= 1e-14 * fabs(function(x[i])));
    return count;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 24);
    double *x = new_double(n, 1), *a = new_double(n, 2), *b = new_double(n, 3), *c = new_double(n, 4), *d = new_double(n, 5);
    /* From small to so large that the argument is reduced by a table of the digits of pi. */
    for (int i = 0; i < n; i++)
        x[i] = (0.75 + 0.5 * x[i]) * pow(2.5, i);
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = sin(x[i]);
#pragma stencil
    for (int i = 0; i < n; i++)
        b[i] = cbrt(x[i]);
#pragma stencil
    for (int i = 0; i < n; i++)
        c[i] = log(x[i]);
#pragma stencil
    for (int i = 0; i < n; i++)
        d[i] = atan(x[i]);
    printf("%d %d %d %d\n", wrong(n, a, x, sin), wrong(n, b, x, cbrt), wrong(n, c, x, log), wrong(n, d, x, atan));
    return 0;
}
