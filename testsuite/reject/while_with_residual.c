// A loop that runs until the largest change is small.
double relax(int n, double *a, double *b)
{
    double change = 1;
#pragma stencil
    while (change > 1e-3) {
        change = 0;
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
            if (b[i] - a[i] > change)
                change = b[i] - a[i];
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    return change;
}

double residual_inside(int n, double *a, double *b)
{
    double change = 0;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        if (b[i] - a[i] > change)
            change = b[i] - a[i];
    }
    return change;
}

// remedy: s/#pragma stencil\n//
// remedy: s/        for (int i = 1; i < n - 1; i++) {/#pragma stencil\n        for (int i = 1; i < n - 1; i++)/
// remedy: s/            if/        for (int i = 1; i < n - 1; i++)\n            if/
// remedy: s/        }\n        for/#pragma stencil\n        for/
// remedy: s/i++) {/i++)/
// remedy: s/        if/    for (int i = 1; i < n - 1; i++)\n        if/
// remedy: s/    }\n//
