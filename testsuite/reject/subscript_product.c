// A subscript that is a product of two loop variables.
void relax(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = b[i * j];
}
