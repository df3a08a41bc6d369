// Macros that make a step and what the host does behind it, on one line: nothing can be put between them.
#include <stdio.h>

#define SWEEP(to, from) for (int i = 1; i < n - 1; i++) to[i] = 0.5 * (from[i - 1] + from[i + 1]);
#define REPORT(of) { if (t % 10 == 0) printf("%g\n", of[n / 2]); }

void relax(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        SWEEP(b, a) SWEEP(a, b) REPORT(a)
    }
}

// remedy: s/SWEEP(a, b) REPORT(a)/SWEEP(a, b)\n        REPORT(a)/
