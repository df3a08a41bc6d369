// Sizes that wrap around, and elements that do not exist, in steps that are none.
// args: 1 5 0 ; 1 1 0 ; 9 6 4 ; 8 7 1
#include "dump.h"

static void march(unsigned n, unsigned m, int steps, float *a, float *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (unsigned j = 0; j < m; j++)
            a[(n - 2) * m + j] = a[(n - 1) * m + j];
        for (unsigned i = 1; i < n; i++)
            for (unsigned j = 0; j < m; j++)
                b[i * m + j] = 0.5f * (a[i * m + j] + a[(i - 1) * m + j]);
        for (unsigned i = 1; i < n; i++)
            for (unsigned j = 0; j < m; j++)
                a[i * m + j] = b[i * m + j];
    }
}

static void gather(int n, int steps, double *a, double *b, double d[steps + 1][n])
{
#pragma stencil
    for (int t = 0; t < steps; t += 1)
        for (int i = 1; i < n; i++)
            if (a[i] > 0.25)
                b[i] = a[i] + b[i] * d[t][i];
}

int main(int argc, char **argv)
{
    unsigned n = (unsigned)argument(argc, argv, 1, 9), m = (unsigned)argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    float a[n][m], b[n][m];
    double x[n], y[n], d[steps + 1][n];
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < m; j++) {
            a[i][j] = (float)((3 * i + 5 * j) % 7);
            b[i][j] = 1.0f;
        }
        x[i] = 0.125 * (i % 5);
        y[i] = 1.0 + i;
        for (int t = 0; t <= steps; t++)
            d[t][i] = 0.5 * (t % 3) - 0.25 * (i % 2);
    }
    march(n, m, steps, *a, *b);
    gather((int)n, steps, x, y, d);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < m; j++)
            printf("%a %a\n", a[i][j], b[i][j]);
        printf("%a\n", y[i]);
    }
    return 0;
}
