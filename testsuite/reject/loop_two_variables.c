// One loop advances two variables.
void reverse(int n, double *a, const double *b)
{
    int i, k;
#pragma stencil
    for (i = 0, k = n - 1; i < n; i++, k--)
        a[i] = b[k];
}
