// Variables and parameters of complex types.
#include <complex.h>

void variables(double *c)
{
    double complex a[64] = { 1 }, b[64] = { 0 };
#pragma stencil
    for (int i = 0; i < 64; i++)
        b[i] = 2 * a[i];
    c[0] = creal(b[0]);
}

void parameters(int n, double complex *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        b[i] = a[i];
}

void scalar(int n, double complex w, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        b[i] = w;
}

// remedy: s/double complex a[64] = { 1 }, b[64] = { 0 };/double a[64] = { 1 }, b[64] = { 0 }, ai[64] = { 0 }, bi[64] = { 0 };/
// remedy: s/        b[i] = 2 * a[i];/    {\n        b[i] = 2 * a[i];\n        bi[i] = 2 * ai[i];\n    }/
// remedy: s/double complex *a/double *a/
// remedy: s/double complex w/double w/
