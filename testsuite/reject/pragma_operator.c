// The operator form of a pragma has no line of its own.
void fill(int n, double *a)
{
    _Pragma("stencil") for (int i = 0; i < n; i++)
        a[i] = 1;
}

// remedy: s/    _Pragma("stencil") for/#pragma stencil\n    for/
