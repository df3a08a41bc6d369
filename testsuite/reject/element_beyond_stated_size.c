// An element under a condition, beyond the stated size for all bounds of the loop.
void keep(int n, int m, double *a, double *b)
{
#pragma stencil extent(a[0:m])
    for (int i = 1; i < n; i++)
        if (b[i] > 0)
            b[i] = a[m + i - 1];
}

// remedy: s/a[m + i - 1]/a[i - 1]/
