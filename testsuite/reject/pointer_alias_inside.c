// A pointer is set to another array's middle inside the nest.
void relax(int n, int steps, double *a, double *b)
{
    double *p = b;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            p[i] = 0.5 * (a[i - 1] + a[i + 1]);
        p = a + n / 2;
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * a[i];
    }
}

// remedy: s|p = a + n / 2;|double *q = a;\n        a = p;\n        p = q;|
