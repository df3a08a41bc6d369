// A neighbour is read only where a mask allows it, and nothing else shows that the array reaches so far.
void spread(int n, double *a, const double *b, const int *open)
{
#pragma stencil
    for (int i = 1; i < n; i++) {
        if (open[i])
            a[i] = 0.5 * (b[i] + b[i - 1]);
    }
}

// remedy: s/#pragma stencil\n/#pragma stencil extent(b[0:n])\n/
