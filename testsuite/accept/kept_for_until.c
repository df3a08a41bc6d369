// Loops that count and end when a residual is small: one in a loop over time that the host keeps with it, one with a sum.
// form: loops that the host keeps: for (int it = 0; it < 40 && residual > 1e-3; it++)
// args: 9 7 4 ; 12 5 2 ; 3 3 3
#include <math.h>

#include "dump.h"

static double residual;

static int project(int n, int m, int steps, double *u, double *p, double *q)
{
    int all = 0;
    for (int t = 0; t < steps; t++) {
        residual = 1;
#pragma stencil
        for (int it = 0; it < 40 && residual > 1e-3; it++) {
            residual = 0;
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    q[i * m + j] = 0.25 * (p[(i - 1) * m + j] + p[(i + 1) * m + j] + p[i * m + j - 1] + p[i * m + j + 1])
                                   - 0.1 * u[i * m + j];
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++) {
                    residual = fmax(residual, fabs(q[i * m + j] - p[i * m + j]));
                    p[i * m + j] = q[i * m + j];
                }
            all++;
        }
#pragma stencil
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i * m + j] -= 0.1 * (p[(i + 1) * m + j] - p[(i - 1) * m + j]);
    }
    return all;
}

static int settle(int n, float *a, float *b)
{
    float error = 1;
    int it;
#pragma stencil
    for (it = 0; error > 1e-2f && it < 50; it++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        error = 0;
        for (int i = 1; i < n - 1; i++)
            error += (b[i] - a[i]) * (b[i] - a[i]);
        float *old = a;
        a = b;
        b = old;
    }
    printf("%d: %a\n", it, (double)error);
    return it;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), m = argument(argc, argv, 2, 7), steps = argument(argc, argv, 3, 4);
    size_t cells = (size_t)n * m;
    double *u = new_double(cells, 1), *p = new_double(cells, 2), *q = new_double(cells, 3);
    float *a = new_float(n, 4), *b = new_float(n, 5);
    int all = project(n, m, steps, u, p, q);
    printf("%d %a\n", all, residual);
    show_double("u", u, cells);
    show_double("p", p, cells);
    show_double("q", q, cells);
    settle(n, a, b);
    show_float("a", a, n);
    show_float("b", b, n);
    return 0;
}
