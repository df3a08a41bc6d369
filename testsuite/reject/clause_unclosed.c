// A clause whose parenthesis never closes.
void copy(int n, double *a, const double *b)
{
#pragma stencil tile(8, 4
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

// remedy: s/tile(8, 4/tile(8, 4)/
