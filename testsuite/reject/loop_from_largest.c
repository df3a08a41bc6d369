// The loop's variable begins at the largest number of its type.
void shift(double *a, const double *b)
{
#pragma stencil
    for (unsigned long i = -1; i < 7; i++)
        a[i + 3] = b[i + 2];
}

// remedy: s/unsigned long i/long i/
