// The swap forgets to save one pointer: both name the same memory afterwards.
void relax(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        a = b;
        b = a;
    }
}

// remedy: s/a = b;\n        b = a;/double *tmp = a;\n        a = b;\n        b = tmp;/
