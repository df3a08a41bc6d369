// The stride is a variable.
void copy(int n, int stride, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i += stride)
        a[i] = b[i];
}
