// The host keeps in a variable, between the sweeps of a step, how a comparison of a sum comes out, and reads it behind the loop.
#include <math.h>
#include <stdio.h>

int solve(int n, int steps, double tol, double *u, double *v)
{
    double sum, err;
    int t, done = 0;
#pragma stencil
    for (t = 0; t < steps; t++) {
        sum = 0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = u[i - 1] + u[i + 1];
            sum += v[i] * v[i];
        }
        err = sqrt(sum / n);
        done = err < tol;
        if (done)
            break;
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
    }
    printf("%d\n", done);
    return t;
}

// remedy: s/done = err < tol;\n        if (done)/if (err < tol)/
