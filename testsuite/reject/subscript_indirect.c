// A subscript read from an index array.
void gather(int n, const int *index, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = b[index[i]];
}
