// Parameters and functions defined further down hide the library's functions.
#include <math.h>

double cbrt(double x);
float fabsf(double x);

void shift(int n, double *a, double *b, double (*floor)(double))
{
#pragma stencil
    for (int i = 0; i < n; i++)
        b[i] = floor(a[i]);
#pragma stencil
    for (int i = 0; i < n; i++)
        b[i] = cbrt(a[i]);
#pragma stencil
    for (int i = 0; i < n; i++)
        b[i] = fabsf(a[i]);
}

double cbrt(double x) { return x + 1; }

// remedy: s/float fabsf(double x);\n//
// remedy: s/b[i] = floor(a[i])/b[i] = a[i] + 1/
// remedy: s/b[i] = cbrt(a[i])/b[i] = a[i] + 1/
// remedy: s/b[i] = fabsf(a[i])/b[i] = a[i]/
