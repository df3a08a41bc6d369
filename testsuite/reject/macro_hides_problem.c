// The problem is inside a macro: the diagnostic shows where it was used.
#define UPDATE(x, i) x[i] = 0.5 * (x[(i) - 1] + x[(i) + 1])

void relax(int n, int steps, double *a)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            UPDATE(a, i);
}

// remedy: s/UPDATE(x, i) x[i]/UPDATE(y, x, i) y[i]/
// remedy: s/double *a)/double *a, double *b)/
// remedy: s/t++)/t++) {/
// remedy: s/UPDATE(a, i);/UPDATE(b, a, i);\n        for (int i = 1; i < n - 1; i++)\n            a[i] = b[i];\n    }/
