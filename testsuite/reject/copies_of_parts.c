// Copies by memcpy that are none of whole rows.
#include <string.h>

void part_of_a_row(int n, double (*a)[8], double (*b)[8])
{
#pragma stencil
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < 8; i++)
            a[i][0] = b[i][0];
        memcpy(b, a, 5 * sizeof(double));
    }
}

void within_an_array(int n, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < 8; i++)
            a[i] = b[i];
        memcpy(a + 8, a, 8 * sizeof(double));
    }
}

void of_another_type(int n, double *a, float *b)
{
#pragma stencil
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < 8; i++)
            a[i] = b[i];
        memcpy(b, a, 8 * sizeof(double));
    }
}

void under_a_condition(int n, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < 8; i++)
            a[i] = b[i];
        if (a[0] > 0)
            memcpy(b, a, 8 * sizeof(double));
    }
}

void of_a_number(int n, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < 8; i++)
            a[i] = b[i];
        memcpy(b, n, 8 * sizeof(double));
    }
}

void of_another_shape(int n, double (*a)[8], double (*b)[9])
{
#pragma stencil
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++)
                a[i][j] = b[i][j];
        memcpy(b, a, 8 * 8 * sizeof(double));
    }
}

void of_any_size(int n, double *a, double *b, const int *sizes)
{
#pragma stencil
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < 8; i++)
            a[i] = b[i];
        memcpy(b, a, sizes[t]);
    }
}

struct weights {
    double near, far;
};

void of_variables(int n, double *a, double *b, struct weights p, struct weights q)
{
#pragma stencil
    for (int t = 0; t < 9; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = p.near * a[i] + p.far * a[i - 1];
        memcpy(&p, &q, sizeof p);
        for (int i = 1; i < n - 1; i++)
            a[i] = p.near * b[i] + p.far * b[i - 1];
    }
}

// remedy: s/memcpy(b, a, 5 * sizeof(double));/for (int k = 0; k < 5; k++)\n            b[0][k] = a[0][k];/
// remedy: s/memcpy(a + 8, a, 8 * sizeof(double));/for (int k = 0; k < 8; k++)\n            a[k + 8] = a[k];/
// remedy: s/float *b/double *b/
// remedy: s/memcpy(b, a, 8 * sizeof(double));\n    }\n}\n\nvoid of_a/for (int k = 0; k < 8; k++)\n                b[k] = a[k];\n    }\n}\n\nvoid of_a/
// remedy: s/memcpy(b, n,/memcpy(b, a,/
// remedy: s/(*b)[9]/(*b)[8]/
// remedy: s/memcpy(b, a, sizes[t]);/for (int k = 0; k < 8; k++)\n            if (k * 8 < sizes[t])\n                b[k] = a[k];/
// remedy: s/memcpy(&p, &q, sizeof p);/p = q;/
