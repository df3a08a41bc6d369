// The bound is changed inside the nest.
void relax(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        n = n - 1;
    }
}

// remedy: s/i < n - 1; i++)/i < n - 1; i++)\n            if (i < n - 1 - t)/
// remedy: s/i < n - 1; i++)/i < n - 1; i++)\n            if (i < n - 1 - t)/
// remedy: s/        n = n - 1;\n//
