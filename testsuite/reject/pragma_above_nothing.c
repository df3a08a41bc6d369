// The pragma is the last thing of a block.
void copy(int n, double *a, const double *b)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i];
#pragma stencil
}

// remedy: s/    for/#pragma stencil\n    for/
// remedy: s/#pragma stencil\n}/}/
