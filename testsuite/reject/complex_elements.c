// Elements of a complex type.
#include <complex.h>

void rotate(int n, double complex *a, const double complex *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = b[i] * I;
}
