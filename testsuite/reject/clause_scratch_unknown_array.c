// A clause names an array that the nest does not use.
void relax(int n, int steps, double *a, double *b)
{
#pragma stencil scratch(c)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

// remedy: s/scratch(c)/scratch(b)/
