// Scalars that each time step computes from data, or by no rule that tells the buffer.
void adaptive(int n, int steps, double *a, const double *b)
{
    double time = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] += b[i] * time;
        time += 0.5 * a[1];
    }
}

void leaves_by_data(int n, int steps, double *a, double *b)
{
    int kind = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = kind ? a[i - 1] : a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        if (a[1] > 0)
            kind = 1 - kind;
    }
}

void sum_over_space(int n, double dx, double *a)
{
    double x = 0;
#pragma stencil
    for (int i = 0; i < n; i++) {
        a[i] = x;
        x += dx;
    }
}

// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/a[i] = x/a[i] = dx * i/
// remedy: s/        x += dx;\n//
