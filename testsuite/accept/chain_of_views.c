// Nests that follow each other and see the same memory in different ways: as rows, flat, from another start, by single elements.
// args: 17 ; 8 ; 4
// notes: what this nest computes stays on the device for the next one
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17);
    double *a = new_double((size_t)n * n, 1), *b = new_double((size_t)n * n, 2), *c = new_double((size_t)n * n, 3);
    double *inner = a + n;
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            a[i * n + j] = b[i * n + j - 1] + b[(i + 1) * n + j];
#pragma stencil
    for (int k = 1; k < n * n - 1; k++)
        c[k] = 0.5 * (a[k - 1] + a[k + 1]);
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i * n + j] = c[i * n + j] * a[2 * n + 3] + c[n + 1];
#pragma stencil
    for (int k = 1; k < n - 1; k++)
        b[k] = inner[k - 1] * c[k] + inner[k + 1];
#pragma stencil
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < i; j++)
            c[i * n + j] = b[i * n + j] + 1;
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = c[i * n + j] * 0.5;
    show_double("a", a, (size_t)n * n);
    show_double("b", b, (size_t)n * n);
    show_double("c", c, (size_t)n * n);
    return 0;
}
