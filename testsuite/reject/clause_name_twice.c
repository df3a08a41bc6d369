// Two nests of one file claim the same name.
void copy(int n, double *a, const double *b)
{
#pragma stencil name(step)
    for (int i = 0; i < n; i++)
        a[i] = b[i];
#pragma stencil name(step)
    for (int i = 1; i < n; i++)
        a[i] = b[i - 1];
}

// remedy: s/name(step)/name(first)/
