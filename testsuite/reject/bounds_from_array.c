// A bound is read from memory that the nest could change.
void relax(const int *first, const int *last, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < 10; i++)
        for (int j = first[i]; j < last[i]; j++)
            a[i * 100 + j] = b[i * 100 + j];
}
