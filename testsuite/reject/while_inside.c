// A while loop inside the nest that counts under a condition.
void relax(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        int i = 1;
        while (i < n - 1) {
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
            if (t < steps)
                i++;
        }
        for (int k = 1; k < n - 1; k++)
            a[k] = b[k];
    }
}

// remedy: s/int i = 1;\n        while (i < n - 1) {\n            b[i] = 0.5 * (a[i - 1] + a[i + 1]);\n            if (t < steps)\n                i++;\n        }/for (int i = 1; i < n - 1; i++)\n            b[i] = 0.5 * (a[i - 1] + a[i + 1]);/
