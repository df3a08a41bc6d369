// A scalar set at every point is read after the nest.
double relax(int n, double *a, const double *b)
{
    double last = 0.0;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        last = a[i] + b[i + 1];
        a[i] = 0.5 * last;
    }
    return last;
}

// remedy: s/last = a[i]/double sum = a[i]/
// remedy: s/0.5 * last/0.5 * sum/
// remedy: s|return last|return n > 2 ? a[n - 2] / 0.5 : last|
