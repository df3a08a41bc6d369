// The pragma stands above an assignment.
void copy(int n, double *a, const double *b)
{
#pragma stencil
    a[0] = b[0];
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

// remedy: s/#pragma stencil\n    a[0] = b[0];\n/    a[0] = b[0];\n#pragma stencil\n/
