// No pragma at all: there is nothing to do.
void copy(int n, double *a, const double *b)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

// remedy: s/    for/#pragma stencil\n    for/
