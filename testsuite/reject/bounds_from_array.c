// A bound is read from memory that the nest could change.
void relax(const int *first, const int *last, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < 10; i++)
        for (int j = first[i]; j < last[i]; j++)
            a[i * 100 + j] = b[i * 100 + j];
}

// remedy: s/#pragma stencil\n/#pragma stencil extent(b[0:10][0:100]) extent(last[0:10])\n/
// remedy: s/int j = first[i]; j < last[i]; j++)/int j = 0; j < 100; j++)\n            if (j >= first[i] && j < last[i])/
