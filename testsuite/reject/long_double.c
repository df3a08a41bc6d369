// Elements of type long double, which no device has.
void scale(int n, long double *a, const long double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = 0.1L * b[i];
}

// remedy: s/long double *a, const long double *b/double *a, const double *b/
// remedy: s/0.1L/0.1/
