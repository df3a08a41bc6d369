// A header that does not exist: the preprocessor's own message is passed on.
#include "no_such_header.h"

void copy(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

// remedy: s/#include "no_such_header.h"\n//
