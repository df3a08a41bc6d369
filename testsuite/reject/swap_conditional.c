// The buffers are swapped only in some steps.
void relax(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        if (t % 3 == 0) {
            double *swap = a;
            a = b;
            b = swap;
        }
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.25 * (a[i - 1] + a[i + 1]);
    }
}

// remedy: s/if (t % 3 == 0) {\n            double *swap = a;\n            a = b;\n            b = swap;\n        }/for (int i = 1; i < n - 1; i++)\n            if (t % 3 == 0)\n                a[i] = b[i];/
