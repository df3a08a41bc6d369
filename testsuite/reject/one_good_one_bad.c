// One nest could be rewritten, the other not: nothing is written.
void first(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n; i++)
        a[i] = b[i - 1];
}

void second(int n, const int *index, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[index[i]] = b[i];
}

// remedy: none
