// A clause with a typing mistake: the nearest known one is named.
void copy(int n, double *a, const double *b)
{
#pragma stencil time_tiel(4)
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

// remedy: s/time_tiel/time_tile/
