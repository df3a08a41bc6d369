// The pragma stands above a function.
#pragma stencil
void copy(int n, double *a, const double *b)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

// remedy: s/#pragma stencil\n//
// remedy: s/    for/#pragma stencil\n    for/
