// A function that folds what its own sweeps need is called in some of the steps only.
#include <math.h>
#include <stdio.h>

static double step(int n, double *u, double *v)
{
    double fastest = 0;
    for (int i = 0; i < n; i++)
        if (fabs(u[i]) > fastest)
            fastest = fabs(u[i]);
    double dt = 0.1 / fastest;
    for (int i = 1; i < n - 1; i++)
        v[i] = u[i] - dt * u[i] * (u[i] - u[i - 1]);
    for (int i = 1; i < n - 1; i++)
        u[i] = v[i];
    return dt;
}

void run(int n, double end, double *u, double *v)
{
    double t = 0;
#pragma stencil
    for (int k = 0; t < end; k++) {
        if (k % 3 == 0)
            t += step(n, u, v);
        else
            t += 0.1;
        printf("%g\n", t);
    }
}

// remedy: s~        if (k % 3 == 0)\n            t += step(n, u, v);\n        else\n            t += 0.1;~        t += step(n, u, v);~
