// The only statement stands under a condition that holds nowhere in its loop.
void relax(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            if (i > n)
                a[i] = b[i - 1];
}

// remedy: s/i > n/i < n/
