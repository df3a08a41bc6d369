// Rows of a table are exchanged one by one, and pointers to rows are copied.
void relax(int n, int m, int steps, double **a, double **b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 0; i < n; i++) {
            double *tmp = a[i];
            a[i] = b[i];
            b[i] = tmp;
        }
    }
}

#include <string.h>

void copy(int n, int m, int steps, double **a, double **b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        memcpy(a, b, n * sizeof *a);
    }
}

// remedy: s/for (int i = 0; i < n; i++) {\n            double *tmp = a[i];\n            a[i] = b[i];\n            b[i] = tmp;\n        }/double **tmp = a;\n        a = b;\n        b = tmp;/
// remedy: s/memcpy(a, b, n * sizeof *a);/for (int i = 1; i < n - 1; i++)\n            for (int j = 1; j < m - 1; j++)\n                a[i][j] = b[i][j];/
