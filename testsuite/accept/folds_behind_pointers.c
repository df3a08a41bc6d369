// Numbers of the caller's that a function reaches through pointers alone: a sum over points, a residual that ends a loop, a clock.
// form: sums, maxima and counts over points: *sum += d * d;
// args: 9 7 4 ; 12 5 2 ; 3 3 0
#include <math.h>

#include "dump.h"

static void relax(int n, int m, const double *u, double *v, double *sum)
{
    *sum = 0.5;
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
            double d = v[i * m + j] - u[i * m + j];
            *sum += d * d;
        }
}

static int solve(int n, double *u, double *v, double *error, double *first)
{
    int it;
#pragma stencil
    for (it = 0; it < 60; it++) {
        *error = 0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            *error = fmax(*error, fabs(v[i] - u[i]));
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
        if (it == 0)
            *first = *error;
        if (*error < 0.02)
            break;
    }
    return it;
}

static void heat(int n, int steps, float *u, float *v, double *time)
{
    *time = 0.25;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5f * (u[i - 1] + u[i + 1]) + 0.01 * *time;
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
        *time += 0.125;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), m = argument(argc, argv, 2, 7), steps = argument(argc, argv, 3, 4);
    size_t cells = (size_t)n * m;
    double *u = new_double(cells, 1), *v = new_double(cells, 2), numbers[3] = {0.5, 2, 3};
    float *a = new_float(n, 3), *b = new_float(n, 4);
    relax(n, m, u, v, &numbers[0]);
    int it = solve(n, u, v, &numbers[1], &numbers[2]);
    heat(n, steps, a, b, &numbers[2]);
    printf("%d\n", it);
    show_double("numbers", numbers, 3);
    show_double("u", u, cells);
    show_double("v", v, cells);
    show_float("a", a, n);
    return 0;
}
