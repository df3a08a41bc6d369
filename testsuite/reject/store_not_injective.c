// Two points write the same element.
void halve(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i / 2] = b[i];
}

// remedy: s|i < n; i++)\n        a[i / 2] = b[i]|i < n / 2; i++)\n        a[i] = b[2 * i + 1]|
