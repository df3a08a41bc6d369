// Nobody declares the loop's variable.
void copy(int n, double *a, const double *b)
{
#pragma stencil
    for (i = 0; i < n; i++)
        a[i] = b[i];
}

// remedy: s/(i = 0/(int i = 0/
