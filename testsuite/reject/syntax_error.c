// A parenthesis is missing inside the nest.
void relax(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        a[i] = 0.5 * (b[i - 1] + b[i + 1];
}

// remedy: s/b[i + 1];/b[i + 1]);/
