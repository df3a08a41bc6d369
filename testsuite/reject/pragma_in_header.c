// The marked nest is in a header, which is not this file's to change.
#include "include/marked.h"

void twice(int n, double *a, const double *b)
{
    copy(n, a, b);
    copy(n, a, b);
}

// remedy: s|#include "include/marked.h"\n|static void copy(int n, double *a, const double *b)\n{\n#pragma stencil\n    for (int i = 0; i < n; i++)\n        a[i] = b[i];\n}\n|
