// The time loop is a while loop whose steps data decide, or that counts in two places.
void relax(int n, double end, double dt, double *a, double *b)
{
    double time = 0;
#pragma stencil
    while (time < end + a[1]) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        time += dt;
    }
}

void counted_twice(int n, int steps, double *a)
{
    int t = 0;
#pragma stencil
    while (t < steps) {
        for (int i = 1; i < n - 1; i++)
            a[i] = 0.5 * a[i] + t;
        t++;
        if (t == 5)
            t++;
    }
}

// remedy: s/while (time < end + a[1])/for (int t = 0; t < n; t++)/
// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
