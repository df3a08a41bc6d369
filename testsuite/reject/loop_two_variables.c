// One loop advances two variables.
void reverse(int n, double *a, const double *b)
{
    int i, k;
#pragma stencil
    for (i = 0, k = n - 1; i < n; i++, k--)
        a[i] = b[k];
}

// remedy: s/i = 0, k = n - 1; i < n; i++, k--)\n        a[i] = b[k]/i = 0; i < n; i++)\n        a[i] = b[n - 1 - i]/
