// Work of the host at each point of a nest: output, functions that devices do not have.
#include <math.h>
#include <stdio.h>

void at_points(int n, double *a, const double *b, double *c)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = tgamma(b[i]);
#pragma stencil
    for (int i = 0; i < n; i++) {
        a[i] = b[i];
        printf("%g", b[i]);
    }
}

// remedy: s/#pragma stencil\n/    for (int i = 0; i < n; i++)\n        c[i] = tgamma(b[i]);\n#pragma stencil\n/
// remedy: s/        a[i] = tgamma(b[i])/        a[i] = c[i]/
// remedy: s/        a[i] = b[i];\n/        a[i] = b[i];\n    }\n    for (int i = 0; i < n; i++) {\n/
