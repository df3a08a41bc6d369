// Between steps the host prints, and the function that sweeps gets memory from a function of the program.
#include <stdio.h>
#include <stdlib.h>

static void print_field(const double *a, const char *name, int n)
{
    printf("%s %g\n", name, a[n / 2]);
}

static double *grab(int n)
{
    return malloc((size_t)n * sizeof(double));
}

static void sweep(int n, double *u, double *v)
{
    double *half = grab(n);
    for (int i = 1; i < n - 1; i++)
        half[i] = 0.5 * (u[i - 1] + u[i + 1]);
    for (int i = 1; i < n - 1; i++)
        v[i] = half[i] + v[i];
    free(half);
    for (int i = 1; i < n - 1; i++)
        u[i] = v[i];
}

void simulate(int n, int steps, double *u, double *v)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        if (t % 100 == 0)
            print_field(u, "u", n);
        sweep(n, u, v);
    }
}

// remedy: s/sweep(int n,/sweep(double *half, int n,/
// remedy: s/    double *half = grab(n);\n//
// remedy: s/    free(half);\n//
// remedy: s/#pragma/double *half = grab(n);\n#pragma/
// remedy: s/sweep(n, u, v)/sweep(half, n, u, v)/
