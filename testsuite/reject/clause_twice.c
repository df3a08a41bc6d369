// The same clause twice, with different values.
void copy(int n, double *a, const double *b)
{
#pragma stencil time_tile(2) time_tile(4)
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

// remedy: s/time_tile(2) //
