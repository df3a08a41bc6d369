// Elements of a complex type.
#include <complex.h>

void rotate(int n, double complex *a, const double complex *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = b[i] * I;
}

// remedy: s/double complex *a, const double complex *b/double *ar, double *ai, const double *br, const double *bi/
// remedy: s/a[i] = b[i] * I;/{\n            ar[i] = -bi[i];\n            ai[i] = br[i];\n        }/
