// Two nests of one block would both need an array of that name before their loops.
#include <math.h>
#include <stdio.h>

void f(int n, int steps, double *a, double *b)
{
    double first = 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double w[2];
        w[0] = sin(t), w[1] = first;
        for (int i = 1; i < n - 1; i++)
            b[i] = w[0] * a[i - 1] + w[1] * a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        printf("%d\n", t);
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double w[3];
        w[1] = cos(t), w[2] = first;
        for (int i = 1; i < n - 1; i++)
            b[i] = w[1] * a[i - 1] + w[2] * a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        printf("%d\n", t);
    }
}

// remedy: s/    double first = 1;/    double first = 1;\n    double w[3];/
// remedy: s/        double w[2];//
// remedy: s/        double w[3];\n        w[1]/        w[1]/
