// A header with several marked nests gives one message, which counts them.
#include "include/many.h"

void twice(int n, double *a)
{
    halve(n, a);
    negate(n, a);
}

// remedy: s|#include "include/many.h"\n|static void halve(int n, double *a)\n{\n#pragma stencil\n    for (int i = 0; i < n; i++)\n        a[i] /= 2;\n}\n\nstatic void negate(int n, double *a)\n{\n#pragma stencil\n    for (int i = 0; i < n; i++)\n        a[i] = -a[i];\n}\n|
