// The time loop is a while loop.
void relax(int n, int steps, double *a, double *b)
{
    int t = 0;
#pragma stencil
    while (t < steps) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        t++;
    }
}

// remedy: s/    int t = 0;\n//
// remedy: s/while (t < steps)/for (int t = 0; t < steps; t++)/
// remedy: s/        t++;\n//
