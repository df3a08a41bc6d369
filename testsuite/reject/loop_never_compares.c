// The first value of the loop is negative, and the comparison takes it for a large number.
void shift(unsigned n, double *a, const double *b)
{
#pragma stencil
    for (int i = -1; i < n; i++)
        a[i + 1] = b[i + 1];
}

// remedy: s/unsigned n/int n/
