// Two loops inside the loop over time go on until a residual is small: how often they run only the running program knows.
#include <math.h>

void project(int n, int steps, double *u, double *p, double *q, const double *source)
{
    double residual;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        residual = 1;
        for (int it = 0; it < 100 && residual > 1e-6; it++) {
            residual = 0;
            for (int i = 1; i < n - 1; i++)
                q[i] = 0.5 * (p[i - 1] + p[i + 1] - source[i] * u[i]);
            for (int i = 1; i < n - 1; i++) {
                residual = fmax(residual, fabs(q[i] - p[i]));
                p[i] = q[i];
            }
        }
        for (int k = 0; k < 9 && residual > 1e-9; k++) {
            for (int i = 1; i < n - 1; i++)
                u[i] = u[i] - 0.1 * (p[i + 1] - p[i - 1]);
            residual *= 0.5;
        }
    }
}

// remedy: s/#pragma stencil\n//
// remedy: s/        for (int it/#pragma stencil\n        for (int it/
// remedy: s/        for (int k/#pragma stencil\n        for (int k/
