// A statement stands under a condition that holds nowhere in its loop.
void relax(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            if (i > n)
                a[i] = b[i];
    }
}

// remedy: s/i > n/i < n/
