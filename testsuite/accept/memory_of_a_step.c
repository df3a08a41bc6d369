// Memory that a step asks for and gives back: with and without casts, of several sizes, in functions and in the loop itself.
// form: bodies: double *next = (double *)malloc((size_t)n * m * sizeof(double));
// form: bodies: slope = (float *)calloc(n + 1, sizeof(float));
// args: 20 7 ; 33 0 ; 9 4 ; 5 3
#include "dump.h"
#include <math.h>

static void smooth(int n, int m, double *u, double w)
{
    double *next = (double *)malloc((size_t)n * m * sizeof(double));
    if (next == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            next[i * m + j] = u[i * m + j] + w * (u[(i - 1) * m + j] + u[(i + 1) * m + j] - 2 * u[i * m + j + 1]);
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            u[i * m + j] = next[i * m + j];
    free(next);
}

static void counted(int n, int m, int steps, double *u)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        smooth(n, m, u, 0.125);
}

static void reported(int n, int m, int steps, double *u)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        smooth(n, m, u, 0.25);
        if (t % 3 == 2)
            printf("%d: %a\n", t, u[n / 2 * m + m / 2]);
    }
}

/* What the host does has memory of its own. */
static double spread(int n, const double *u)
{
    double *sorted = malloc((size_t)n * sizeof *sorted), most;
    for (int k = 0; k < n; k++)
        sorted[k] = u[k] * u[k];
    most = sorted[0];
    for (int k = 1; k < n; k++)
        if (sorted[k] > sorted[k - 1])
            most = sorted[k];
    free(sorted);
    return most;
}

static void watched(int n, int steps, double *u)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        float *next = calloc((size_t)n, sizeof *next), *slope;
        slope = (float *)calloc(n + 1, sizeof(float));
        for (int i = 1; i < n; i++)
            slope[i] = (float)(u[i] - u[i - 1]);
        for (int i = 1; i < n - 1; i++)
            next[i] = 0.25f * (slope[i + 1] - slope[i]);
        for (int i = 1; i < n - 1; i++)
            u[i] += next[i];
        free(next);
        free(slope);
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            u[i] = 0.75 * u[i];
        printf("%a\n", spread(n, u));
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 7), m = n + 5;
    size_t count = (size_t)n * (size_t)m;
    double *u = new_double(count, 1);
    counted(n, m, steps, u);
    show_double("u", u, count);
    reported(n, m, steps + 1, u);
    show_double("u", u, count);
    watched(n, steps, u);
    show_double("u", u, count);
    free(u);
    return 0;
}
