// An element under a condition, beyond the size that a variable states for some bounds of the loop.
void keep(int n, int m, double *a, double *b)
{
#pragma stencil extent(a[0:m])
    for (int i = 1; i < n; i++)
        if (b[i] > 0)
            b[i] = a[i - 1];
}

// remedy: s/a[0:m]/a[0:n]/
