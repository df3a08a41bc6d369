// A pointer walks through the array.
void copy(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        *a++ = b[i];
}

// remedy: s/*a++/a[i]/
