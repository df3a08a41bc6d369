// The domain grows as time goes on.
void spread(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = n - t; i < n + t; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = n - t; i < n + t; i++)
            a[i] = b[i];
    }
}
