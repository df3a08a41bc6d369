// The condition of an `if` computes a step only where something else does not hold.
#include <stdio.h>

static double step(int n, double *a, double *b)
{
    double sum = 0;
    for (int i = 1; i < n - 1; i++) {
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        sum += b[i];
    }
    for (int i = 1; i < n - 1; i++)
        a[i] = b[i];
    return sum;
}

void settle(int n, int most, double *a, double *b)
{
    double sum;
#pragma stencil
    for (int k = 0; k < 1000; k++) {
        if (k > most || step(n, a, b) < 0.5)
            break;
        printf("%d\n", k);
    }
}

// remedy: s/        if (k > most || step(n, a, b) < 0.5)/        if (k > most)\n            break;\n        sum = step(n, a, b);\n        if (sum < 0.5)/
