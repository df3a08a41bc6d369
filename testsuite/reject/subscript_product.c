// A subscript that is a product of two loop variables.
void relax(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = b[i * j];
}

// remedy: s/const double *b)/const double *b, double *found)/
// remedy: s/#pragma stencil\n/    for (int i = 0; i < n; i++)\n        for (int j = 0; j < n; j++)\n            found[i * n + j] = b[i * j];\n#pragma stencil\n/
// remedy: s/b[i * j]/found[i * n + j]/
