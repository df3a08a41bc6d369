// A pointer is set in some steps only, and read after the nest.
double *relax(int n, int steps, double *a, double *b)
{
    double *last = a;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        if (t % 3 == 1)
            last = b;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    return last;
}

// remedy: s/        if (t % 3 == 1)\n            last = b;\n//
// remedy: s/return last/return steps > 1 ? b : last/
