// Sums that are looked at behind the loop, every few steps or by a caller, of rows, by a function, in the order of the loops.
// args: 40 50 23 ; 66 70 8 ; 40 50 0 ; 3 4 5
// form: sums, maxima and counts over points: gosa += change * change;
#include <math.h>
#include "dump.h"

static double difference(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

static float relax(int n, int m, int steps, float *p, float *w)
{
    float gosa = 0, change;
    int i, j, t;
#pragma stencil
    for (t = 0; t < steps; ++t) {
        gosa = 0.0;
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++) {
                change = 0.25f * (p[(i - 1) * m + j] + p[(i + 1) * m + j] + p[i * m + j - 1] + p[i * m + j + 1]) - p[i * m + j];
                gosa += change * change;
                w[i * m + j] = p[i * m + j] + 0.8f * change;
            }
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                p[i * m + j] = w[i * m + j];
    }
    return gosa;
}

static double advance(int n, int steps, double *u, double *v)
{
    double change = 0, mean = 0, total = 0;
    int t = 0;
#pragma stencil
    do {
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] + 0.2 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        mean = 0;
        for (int i = 0; i < n; i++)
            mean += v[i];
        mean /= n;
        change = sqrt(difference(n, u, v));
        double *swap = u;
        u = v;
        v = swap;
        if (t % 5 == 2)
            printf("%d %a\n", t, mean);
        total += change;
        if (change < 1e-3)
            return total;
        t++;
    } while (t < steps);
    return mean + total;
}

static void energy(int n, int m, int steps, double *a, double *b)
{
    double rows = 0, row;
    int t = 0;
#pragma stencil
    while (t++ < steps) {
        rows = 0;
        for (int i = 1; i < n - 1; i++) {
            row = 0;
            for (int j = m - 2; j >= 1; j--) {
                b[i * m + j] = 0.5 * (a[i * m + j - 1] + a[(i - 1) * m + j]);
                row += b[i * m + j];
            }
            rows += row * i;
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                a[i * m + j] = b[i * m + j];
                rows -= 0.125 * a[i * m + j];
            }
        if (t % 4 == 0)
            printf("%d %a\n", t, rows);
    }
    printf("%a\n", rows);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), m = argument(argc, argv, 2, 50), steps = argument(argc, argv, 3, 23);
    float *p = new_float((size_t)n * m, 1), *w = new_float((size_t)n * m, 2);
    double *u = new_double((size_t)n * m, 3), *v = new_double((size_t)n * m, 4);
    printf("%a\n", relax(n, m, steps, p, w));
    show_float("p", p, (size_t)n * m);
    printf("%a\n", advance(n * m, steps, u, v));
    energy(n, m, steps, u, v);
    show_double("u", u, (size_t)n * m);
    show_double("v", v, (size_t)n * m);
    return 0;
}
