// Accesses to a volatile array may not be moved.
void sample(int n, volatile double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

// remedy: s/volatile double/double/
