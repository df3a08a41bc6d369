// What the sweeps of a step fold goes into a sum of the next one, and the host sets it in between, before the last sweep.
#include <stdio.h>

static long last;

static void sweep(int n, double *a, const double *b)
{
    for (int i = n - 2; i > 0; i--) {
        last = (long)i & 63;
        a[i] = b[i];
    }
}

void f(int n, int steps, double *a, double *b, double *all)
{
    double gathered = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * a[i - 1];
        if (t % 9 == 1)
            gathered += last;
        for (int i = 1; i < n - 1; i++)
            b[i] += a[i + 1];
        if (t % 4 == 3)
            printf("%ld\n", last);
        last = 0;
        sweep(n, a, b);
    }
    *all = gathered;
}

// remedy: s/        last = 0;//
