// Each step notes a column of values in every other element, so that the loop over time looks like one over space.
void copied_back(int n, int steps, double *a, double *b, double *trace)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        for (int i = 0; i < n; i++)
            trace[i * 2 * steps + 2 * t] = a[i];
    }
}

void exchanged(int n, int steps, double *a, double *b, double *trace)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        double *swap = a;
        a = b;
        b = swap;
        for (int i = 0; i < n; i++)
            trace[i * 2 * steps + 2 * t] = a[i];
    }
}

// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
