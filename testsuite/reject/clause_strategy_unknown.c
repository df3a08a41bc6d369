// A strategy that does not exist.
void copy(int n, double *a, const double *b)
{
#pragma stencil strategy(locale)
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

// remedy: s/locale/local/
