// Every point adds to one element: a reduction through an array.
void total(int n, double *sum, const double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        sum[0] += a[i];
}

// remedy: none
