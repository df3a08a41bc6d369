// The host looks between the sweeps of a step at a maximum that the later ones fold, too.
#include <math.h>

int solve(int n, int steps, double tol, double *u, double *v)
{
    double most;
    int t;
#pragma stencil
    for (t = 0; t < steps; t++) {
        most = 0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = u[i - 1] + u[i + 1];
            most = fmax(most, fabs(v[i]));
        }
        if (most < tol)
            break;
        for (int i = 1; i < n - 1; i++) {
            u[i] = v[i];
            most = fmax(most, fabs(u[i] - 1));
        }
    }
    return t;
}

// remedy: s/        if (most < tol)\n            break;\n//
// remedy: s/fabs(u[i] - 1));\n        }/fabs(u[i] - 1));\n        }\n        if (most < tol)\n            break;/
