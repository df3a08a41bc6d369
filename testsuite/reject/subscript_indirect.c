// A subscript read from an index array.
void gather(int n, const int *index, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = b[index[i]];
}

// remedy: s/const double *b)/const double *b, double *found)/
// remedy: s/#pragma stencil\n/    for (int i = 0; i < n; i++)\n        found[i] = b[index[i]];\n#pragma stencil\n/
// remedy: s/b[index[i]]/found[i]/
