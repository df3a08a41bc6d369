// The loop variable doubles.
void copy(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n; i *= 2)
        a[i] = b[i];
}
