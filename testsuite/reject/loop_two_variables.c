// Loops that advance two variables: towards each other, and one by more than a constant.
void reverse(int n, double *a, const double *b)
{
    int i, k;
#pragma stencil
    for (i = 0, k = n - 1; i < k; i++, k--)
        a[i] = b[k];
}

void double_one(int n, double *a, const double *b)
{
    int i, k;
#pragma stencil
    for (i = 0, k = 1; i < n; i++, k *= 2)
        a[i] = k * b[i];
}

// remedy: s/i < k; i++, k--)\n        a[i]/i < n; i++, k--)\n        if (i < k)\n            a[i]/
// remedy: s/i = 0, k = 1; i < n; i++, k *= 2)\n        a[i] = k * b[i]/i = 0; i < n; i++)\n        a[i] = (1 << i) * b[i]/
