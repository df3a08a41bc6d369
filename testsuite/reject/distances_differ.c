// A sum of three terms reads the point before, and each point its mirror image, which is computed or not.
void sums(int n, double *a)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        for (int k = 0; k < 3; k++)
            a[i] += k * a[i - 1];
}

void mirror(int n, double *a)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        a[i] = a[n - 1 - i] + a[i - 1];
}

// remedy: s/double *a)/double *a, double *b)/
// remedy: s/a[i] += k * a[i - 1]/b[i] += k * a[i - 1]/
// remedy: s/double *a)/double *a, double *b)/
// remedy: s/a[i] = a[n/b[i] = a[n/
