// Between the sweeps of a step of a loop that the host keeps a time goes on, which the host can give, and the width of the next one.
#include <stdio.h>

void f(int n, int steps, float dt, float *u, float *v)
{
    float time = 0;
    int width = 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5f * (u[i - 1] + u[i + 1]);
        width = width + 1;
        time = time + 0.5 * dt;
        for (int i = 1; i < n - 1; i++)
            u[i] = i < width ? v[i] + time : u[i];
        printf("%g\n", u[3]);
    }
}

// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/        for/#pragma stencil\n        for/
