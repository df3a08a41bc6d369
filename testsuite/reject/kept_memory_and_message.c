// A function that gets memory of the step's own, which nests can have, and calls one that prints, which no device can do.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double noted(double value)
{
    if (isnan(value)) puts("lost");
    return value;
}

static void change(double *u, double *rate, int n)
{
    double *half = calloc(n, sizeof *half);
    for (int i = 1; i < n - 1; i++)
        half[i] = 0.5 * (u[i - 1] + u[i + 1]);
    for (int i = 1; i < n - 1; i++)
        rate[i] = noted(half[i] - u[i]);
    free(half);
    for (int i = 1; i < n - 1; i++)
        u[i] += 0.25 * rate[i];
}

void simulate(int n, int steps, double *u, double *rate)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        if (t % 100 == 0)
            printf("%g\n", u[n / 2]);
        change(u, rate, n);
    }
}

// remedy: s/    if (isnan(value)) puts("lost");//
