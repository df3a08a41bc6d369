// A subscript that goes round an array as often as the array is long.
void comb(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = b[i * 7 % n];
}

// remedy: s/i * 7 % n/i * 7 % 128/
