// Single elements that a step changes behind the sweep that writes their array: sources at points.
// form: bodies: v[n / 2][s] += sin(0.2 * t);
// args: 40 25 ; 17 3 ; 12 40
#include "dump.h"
#include <math.h>

/* Both fields are updated in place; what is added depends on the step, what is set does so in some steps only. */
static void electromagnetic(int n, int steps, double *ez, double *hy)
{
    double *pulse = new_double(steps, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n - 1; i++)
            hy[i] = hy[i] + (ez[i + 1] - ez[i]) * 0.5;
        hy[4] -= pulse[t] * 0.25;
        for (int i = 1; i < n; i++)
            ez[i] = ez[i] + (hy[i] - hy[i - 1]) * 0.5;
        ez[5] += pulse[t];
        if (t < 10)
            ez[7] = sin(0.3 * t);
        ez[5] = ez[5] * 0.75 + 0.125;
    }
}

/* Buffers are exchanged; the point is a variable. */
static double (*waves(int n, int steps, int s, double (*u)[n], double (*v)[n]))[]
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        v[n / 2][s] += sin(0.2 * t);
        double (*w)[n] = u;
        u = v;
        v = w;
    }
    return u;
}

/* Two sources, one of which is set, in three dimensions. */
static void volume(int n, int steps, int s, float (*u)[n][n], float (*v)[n][n])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    v[i][j][k] = 0.125f * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] + u[i][j][k - 1]
                                           + u[i][j][k + 1] + 2 * u[i][j][k]);
        v[s][s + 1][s] = 0.5f * t;
        v[s][2][s + 2] *= 0.25f;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    u[i][j][k] = v[i][j][k];
    }
}

/* The sweep does not come to the point, or that is made of another one. */
static void apart(int n, int steps, double *a, double *b, double *c)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            c[i] = b[i] * 0.5 + c[i];
        b[0] = t * 0.5;
        c[6] = c[5] * 0.5;
        for (int i = 0; i < n - 1; i++)
            a[i] = b[i] + 0.25;
    }
}

/* The value that is stored goes to another place, too. */
static void shared(int n, int steps, double *a, double *b, double *c)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        double at = b[3];
        c[2] = c[2] * 0.5 + at;
        b[3] = at * 0.5;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i] + 0.25;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 25);
    double *a = new_double(n, 1), *b = new_double(n, 2), *c = new_double(n, 4);
    double *u = new_double(n * n, 5), *v = new_double(n * n, 6);
    electromagnetic(n, steps, a, b);
    show_double("a", a, n);
    show_double("b", b, n);
    double *w = (double *)waves(n, steps, n / 3, (double (*)[n])u, (double (*)[n])v);
    show_double("w", w, n * n);
    int m = n / 3 + 4;
    float *x = new_float(m * m * m, 7), *y = new_float(m * m * m, 8);
    volume(m, steps, 2, (float (*)[m][m])x, (float (*)[m][m])y);
    show_float("x", x, m * m * m);
    apart(n, steps, a, b, c);
    show_double("a", a, n);
    show_double("b", b, n);
    shared(n, steps, a, b, c);
    show_double("a", a, n);
    show_double("c", c, n);
    return 0;
}
