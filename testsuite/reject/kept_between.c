// The host changes arrays, sizes or pointers between two sweeps of each step, or needs there what they leave; or it jumps.
#include <stdio.h>

double look(int t);

static int pick(int t)
{
    putchar('.');
    return 3 + t % 5;
}

void changes_arrays(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        b[1] = look(t);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

void changes_sizes(int n, int steps, double *a, double *b)
{
    int m = n;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        m = pick(t);
        for (int i = 1; i < m - 1; i++)
            a[i] = b[i];
    }
}

void declares(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        int last = t;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i + last % 2];
        putchar(last);
    }
}

static void swap(double **a, double **b)
{
    double *tmp = *a;
    *a = *b;
    *b = tmp;
}

void turns_twice(int n, int steps, double *a, double *b, double *c, double *d)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        swap(&a, &b);
        putchar('.');
        for (int i = 1; i < n - 1; i++)
            d[i] = 0.5 * (c[i - 1] + c[i + 1]);
        swap(&c, &d);
    }
}

void needs_counters(int n, int steps, double *a, double *b)
{
    int i;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        printf("%d cells", i);
        for (i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

void jumps(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        if (t == 7)
            goto next;
        steps--;
next:;
    }
}

// remedy: s/        b[1] = look(t);\n//
// remedy: s/            a[i] = b[i];\n/            a[i] = b[i];\n        b[1] = look(t);\n/
// remedy: s/    for (int t = 0; t < steps; t++) {/    for (int t = 0; t < steps; t++) {\n        m = pick(t);/
// remedy: s/        m = pick(t);\n        for (int i = 1; i < m/        for (int i = 1; i < m/
// remedy: s/    for (int t = 0; t < steps; t++) {/    for (int t = 0; t < steps; t++) {\n        int last = t;/
// remedy: s/        int last = t;\n        for (int i = 1; i < n - 1; i++)\n            a/        for (int i = 1; i < n - 1; i++)\n            a/
// remedy: s/        swap(&a, &b);\n//
// remedy: s/        swap(&c, &d);\n/        swap(&c, &d);\n        swap(&a, &b);\n/
// remedy: s/        printf("%d cells", i);\n//
// remedy: s/            a[i] = b[i];\n/            a[i] = b[i];\n        printf("%d cells", i);\n/
// remedy: s/goto next/continue/
// remedy: s/next:;\n//
