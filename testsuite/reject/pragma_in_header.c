// The marked nest is in a header, which is not this file's to change.
#include "include/marked.h"

void twice(int n, double *a, const double *b)
{
    copy(n, a, b);
    copy(n, a, b);
}
