// Scalars carry values from one point to the next that are made of what they held, or of what the same step computes.
void decay(int n, double *a, const double *b)
{
    double left = b[0];
#pragma stencil
    for (int i = 1; i < n; i++) {
        a[i] = b[i] - left;
        left = 0.5 * left + b[i];
    }
}

void relax(int n, int steps, double *a)
{
    double left;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        left = a[0];
        for (int i = 1; i < n - 1; i++) {
            a[i] = 0.5 * (left + a[i + 1]);
            left = a[i];
        }
    }
}

void shift(int n, double *a, const double *b, int m)
{
    double left;
#pragma stencil
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            a[j * n + i] = i < n - 1 ? left : 0;
            left = b[j * n + i];
        }
}

// remedy: s/0.5 * left + b[i]/b[i]/
// remedy: s/            a[i] = 0.5 * (left + a[i + 1]);\n            left = a[i];/            double x = a[i];\n            a[i] = 0.5 * (left + a[i + 1]);\n            left = x;/
// remedy: s/j++)/j++) {\n        left = 0;/
// remedy: s/        }\n}/        }\n    }\n}/
