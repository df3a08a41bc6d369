// Sums behind pointers that functions give on: one leads to two numbers, one to an array of which another function reads more, and of
// others nobody knows whether they lead anywhere if there are no steps.
#include <stddef.h>

static void relax(int n, const double *u, double *v, double *error)
{
    for (int i = 1; i < n - 1; i++) {
        v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        *error += v[i] * v[i];
    }
}

static void pair(double *error)
{
    error[1] = *error;
}

static double second(const double *error)
{
    return error[1];
}

static void two(int n, int steps, double *u, double *v, double *error)
{
    *error = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        relax(n, u, v, error);
        pair(error);
        relax(n, v, u, error);
    }
}

static void more(int n, int steps, double *u, double *v, double *error)
{
    *error = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        relax(n, u, v, error);
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i] + second(error);
    }
}

static int none(int n, int steps, double *u, double *v, double *error)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        relax(n, u, v, error);
        relax(n, v, u, error);
    }
    return steps > 0 && *error > 0 ? 1 : (int)sizeof *error;
}

static void elsewhere(int n, int steps, double *u, double *v, double *error, double *other)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        relax(n, u, v, error);
        relax(n, v, u, error);
    }
    error = other;
    *error = 1;
}

int all(int n, int steps, double *u, double *v, double *error, double *other)
{
    two(n, steps, u, v, error);
    more(n, steps, u, v, error);
    elsewhere(n, steps, u, v, error, other);
    return none(n, steps, u, v, error);
}

// remedy: s/        *error += v[i] * v[i];\n//
