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

// remedy: s/#pragma stencil\n/#pragma stencil extent(a[0:n + steps]) extent(b[0:n + steps])\n/
// remedy: s/int i = n - t; i < n + t; i++)/int i = 1; i < n + steps - 1; i++)\n            if (i >= n - t && i < n + t)/
// remedy: s/int i = n - t; i < n + t; i++)/int i = 1; i < n + steps - 1; i++)\n            if (i >= n - t && i < n + t)/
