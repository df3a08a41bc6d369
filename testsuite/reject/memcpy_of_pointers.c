// The bytes of pointers are copied where those of the elements are meant.
#include <string.h>

void f(int n, int steps, double a[n], double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        memcpy(&a, &b, n * sizeof(double));
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    }
}

// remedy: s/&a, &b/a, b/
