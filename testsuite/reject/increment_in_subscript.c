// A counter is advanced inside a subscript.
void compress(int n, double *a, const double *b)
{
    int k = 0;
#pragma stencil
    for (int i = 0; i < n; i++)
        if (b[i] > 0.0)
            a[k++] = b[i];
}

// remedy: none
