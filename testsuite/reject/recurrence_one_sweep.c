// A prefix sum: the recurrence runs along the row, not along time.
void accumulate(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] + b[i];
}

// remedy: s/const double *b)/const double *b, const double *c)/
// remedy: s/a[i - 1]/c[i - 1]/
