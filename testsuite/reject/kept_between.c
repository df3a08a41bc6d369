// The host does something between two sweeps, uses behind them what they declare, or jumps.
#include <stdio.h>

void prints(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        puts("step");
        for (int i = 1; i < n - 1; i++)
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
            a[i] = b[i] + last;
        putchar(last);
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
            goto end;
    }
end:
    return;
}

// remedy: s/        puts("step");\n//
// remedy: s/            a[i] = b[i];\n/            a[i] = b[i];\n        puts("step");\n/
// remedy: s/    for (int t = 0; t < steps; t++) {/    for (int t = 0; t < steps; t++) {\n        int last = t;/
// remedy: s/        int last = t;\n//
// remedy: s/goto end/break/
// remedy: s/end:\n//
