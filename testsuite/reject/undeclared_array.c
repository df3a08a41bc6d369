// An array that is declared nowhere.
void copy(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

// remedy: s/double *a)/double *a, const double *b)/
