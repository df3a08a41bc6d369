// Functions that print between their sweeps, and that cannot stand in the place of their calls.
#include <stdio.h>

static double scale = 0.5;

static int counted(int n, double *u, double *v)
{
    static int calls = 0;
    for (int i = 1; i < n - 1; i++)
        v[i] = scale * (u[i - 1] + u[i + 1]);
    printf("%d %g\n", calls, v[1]);
    for (int i = 1; i < n - 1; i++)
        u[i] = v[i];
    return ++calls;
}

static void named(int n, double *u, double *v)
{
    for (int i = 1; i < n - 1; i++)
        v[i] = scale * (u[i - 1] + u[i + 1]);
    printf("%s %g\n", __func__, v[1]);
    for (int i = 1; i < n - 1; i++)
        u[i] = v[i];
}

static void scaled(int n, double *u, double *v)
{
    for (int i = 1; i < n - 1; i++)
        v[i] = scale * (u[i - 1] + u[i + 1]);
    printf("%g\n", v[1]);
    for (int i = 1; i < n - 1; i++)
        u[i] = v[i];
}

int run(int n, int steps, double *u, double *v)
{
    int last = counted(n, u, v);
#pragma stencil
    for (int t = 0; t < steps; t++)
        last = counted(n, u, v);
    return last;
}

void tell(int n, int steps, double *u, double *v)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        named(n, u, v);
}

double hide(int n, int steps, double *u, double *v)
{
    double scale = 2;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        scaled(n, u, v);
        scale *= 0.5;
    }
    return scale;
}

// remedy: s/static double scale = 0.5;/static double scale = 0.5;\nstatic int calls = 0;/
// remedy: s/    static int calls = 0;\n//
// remedy: s/__func__/"named"/
// remedy: s/    double scale = 2;/    double by = 2;/
// remedy: s/        scale *= 0.5;/        by *= 0.5;/
// remedy: s/    return scale;/    return by;/
