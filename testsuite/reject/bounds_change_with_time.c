// What a step computes moves as time goes on, and the body of the loop over time is no block.
void drain(int n, int steps, double *a, const double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = t; i < n - t; i++)
            a[i] = 0.5 * (a[i] + b[i]);
}

// remedy: s/#pragma stencil\n/#pragma stencil extent(a[0:n]) extent(b[0:n])\n/
// remedy: s/int i = t; i < n - t; i++)/int i = 0; i < n; i++)\n            if (i >= t && i < n - t)/
