// An element under a condition, beyond the stated size for some bounds of the loop.
#define NX 64

void keep(int n, double *a, double *b)
{
#pragma stencil extent(a[0:NX])
    for (int i = 1; i < n; i++)
        if (b[i] > 0)
            b[i] = a[i - 1];
}

// remedy: s/a[0:NX]/a[0:n]/
