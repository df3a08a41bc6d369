// The loop variable doubles.
void copy(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n; i *= 2)
        a[i] = b[i];
}

// remedy: s/#pragma stencil\n/#pragma stencil extent(b[0:n])\n/
// remedy: s/i *= 2)/i++)\n        if ((i & (i - 1)) == 0)\n    /
