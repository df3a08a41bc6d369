// What a leg of a step folds behind a pointer that it hands on is needed before the step is over, and the step folds more later.
#include <stdio.h>

static void sweep(int n, double *a, const double *b, double *sum)
{
    for (int i = 1; i < n - 1; i++) {
        a[i] = 0.5 * (b[i - 1] + b[i + 1]);
        *sum += a[i] - b[i];
    }
}

void run(int n, int steps, double *a, double *b, double *total)
{
    int count = 0;
    double norm = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        count = 0;
        *total = 0;
        sweep(n, a, b, total);
        norm = *total / n;
        if (norm == 7)
            break;
        for (int i = 1; i < n - 1; i++) {
            b[i] = a[i];
            count += a[i] > 0.1;
        }
        printf("%d\n", t);
    }
    printf("%d %g\n", count, norm);
}
// remedy: s#        norm = *total / n;\n        if (norm == 7)\n            break;\n##
// remedy: s#        printf("%d#        norm = *total / n;\n        if (norm == 7)\n            break;\n        printf("%d#
