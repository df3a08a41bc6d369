// The first field is updated in order, hidden between two harmless statements.
void relax(int n, int steps, double *a, double *b, double *c)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.5 * c[i];
            a[i] = a[i] + 0.25 * (b[i - 1] + a[i - 1]);
            c[i] = b[i] * 2.0;
        }
    }
}

// remedy: s/double *c)/double *c, double *d)/
// remedy: s/a[i] = a[i]/d[i] = a[i]/
// remedy: s/b[i] * 2.0;\n        }/b[i] * 2.0;\n        }\n        for (int i = 1; i < n - 1; i++)\n            a[i] = d[i];/
