// A function of each step folds what its own sweeps need, and a macro in it means something else where it is called.
#include <math.h>
#include <stdio.h>

#define CFL 0.1

static double step(int n, double *u, double *v)
{
    double fastest = 0;
    for (int i = 0; i < n; i++)
        if (fabs(u[i]) > fastest)
            fastest = fabs(u[i]);
    double dt = CFL / fastest;
    for (int i = 1; i < n - 1; i++)
        v[i] = u[i] - dt * u[i] * (u[i] - u[i - 1]);
    for (int i = 1; i < n - 1; i++)
        u[i] = v[i];
    return dt;
}

#undef CFL
#define CFL 0.9

void run(int n, double end, double *u, double *v)
{
    double t = 0;
#pragma stencil
    while (t < end) {
        double dt = step(n, u, v);
        t += dt;
        printf("%g\n", CFL * t);
    }
}

// remedy: s~        double dt = step(n, u, v);\n~        double fastest = 0;\n        for (int i = 0; i < n; i++)\n            if (fabs(u[i]) > fastest)\n                fastest = fabs(u[i]);\n        double dt = 0.1 / fastest;\n        for (int i = 1; i < n - 1; i++)\n            v[i] = u[i] - dt * u[i] * (u[i] - u[i - 1]);\n        for (int i = 1; i < n - 1; i++)\n            u[i] = v[i];\n~
