// Memory of a step's own that begins as zeros: borders that are read and never stored, a function whose second call stores less
// than its first one, and an array that is declared with zeros.
// form: bodies: double *slope = calloc(n * m, sizeof *slope);
// form: bodies: float change[N][N] = {0};
// args: 20 7 ; 9 0 ; 12 3
#include "dump.h"
#include <math.h>
#define N 37

/* The border of `slope` stays zero. */
static void stage(int n, int m, const double *u, double *v, double w)
{
    double *slope = calloc(n * m, sizeof *slope);
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            slope[i * m + j] = u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1] - 4 * u[i * m + j];
    for (int i = 0; i < n * m; i++)
        v[i] = u[i] + w * slope[i];
    free(slope);
}

static void staged(int n, int m, int steps, double *u, double *v)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        stage(n, m, u, v, 0.125);
        stage(n, m, v, u, 0.0625);
    }
}

/* What the call before has stored is gone. */
static void from(int n, int first, double *u)
{
    double *next = calloc((size_t)n, sizeof(double));
    for (int i = first; i < n - 1; i++)
        next[i] = 0.5 * u[i] + u[i + 1];
    for (int i = 1; i < n - 1; i++)
        u[i] += 0.125 * next[i];
    free(next);
}

static void twice(int n, int steps, double *u)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        from(n, 1, u);
        from(n, 5, u);
        if (t % 2)
            printf("%a %a\n", u[2], u[6]);
    }
}

static void declared(int steps, float u[N][N])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        float change[N][N] = {0};
        for (int i = 2; i < N - 2; i++)
            for (int j = 1; j < N; j++)
                change[i][j] = u[i - 2][j - 1] - u[i + 2][j];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                u[i][j] = 0.75f * u[i][j] + 0.25f * change[i][j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 7), m = n + 5;
    size_t count = (size_t)n * (size_t)m;
    static float w[N][N];
    double *u = new_double(count, 1), *v = new_double(count, 2);
    fill_float(&w[0][0], N * N, 3);
    staged(n, m, steps, u, v);
    show_double("u", u, count);
    show_double("v", v, count);
    twice(n, steps, u);
    show_double("u", u, count);
    declared(steps, w);
    show_float("w", &w[0][0], N * N);
    free(v);
    free(u);
    return 0;
}
