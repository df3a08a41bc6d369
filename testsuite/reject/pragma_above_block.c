// The pragma stands above a block that holds the loop.
void copy(int n, double *a, const double *b)
{
#pragma stencil
    {
        for (int i = 0; i < n; i++)
            a[i] = b[i];
    }
}

// remedy: s/#pragma stencil\n    {\n/    {\n#pragma stencil\n/
