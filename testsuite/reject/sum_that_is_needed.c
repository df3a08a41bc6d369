// The sweeps of a step need what its points count, or add up to on the way.
void relax(int n, int steps, double *a, double *b)
{
    int sum = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sum = 0;
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
            sum += b[i] > 0;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = sum > 3 ? b[i] : a[i];
    }
}

double running_sum(int n, const double *a, double *b)
{
    double sum = 0;
#pragma stencil
    for (int i = 0; i < n; i++) {
        sum += a[i];
        b[i] = sum;
    }
    return sum;
}

// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/#pragma stencil\n//
