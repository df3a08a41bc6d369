// The head of a loop that the host keeps computes the step behind something else.
#include <stdio.h>

double limit(void);
double fmax(double, double);
double fabs(double);

static double step(int n, const double *a, double *b)
{
    double change = 0;
    for (int i = 1; i < n - 1; i++) {
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        change = fmax(change, fabs(b[i] - a[i]));
    }
    return change;
}

void settle(int n, double *a, double *b)
{
    double change;
    int k = 0;
#pragma stencil
    while (limit() < (change = step(n, a, b))) {
        double *tmp = a;
        a = b;
        b = tmp;
        if (++k % 10 == 0)
            printf("%d %g\n", k, change);
    }
}

// remedy: s/    while (limit() < (change = step(n, a, b))) {/    for (;;) {\n        change = step(n, a, b);\n        if (!(change > limit()))\n            break;/
