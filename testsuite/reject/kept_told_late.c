// The host looks between the sweeps of a step at a sum whose value goes into the later ones, so that its order counts.
#include <stdio.h>

void solve(int n, int steps, double *u, double *v)
{
    double sum, by;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sum = 0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = u[i - 1] + u[i + 1];
            sum += v[i] * v[i];
        }
        printf("%g\n", sum);
        by = 1 / (1 + sum);
        for (int i = 1; i < n - 1; i++)
            u[i] = by * v[i];
    }
}

// remedy: s/        printf("%g/        if (sum < 1e-3) return;\n        printf("%g/
// remedy: s/, sum);/, by);/
// remedy: s|by = 1 / (1 + sum);|by = 1. / (1 + t);|
