// Variables of which each thread has one of its own hold behind a loop what they held before it: those of `private` and
// `firstprivate`, and the variables of shared loops. Those of `lastprivate` and `simd` hold what the last iteration leaves.
// form: loops: #pragma omp parallel for private(w) firstprivate(q)
// flags: -fopenmp
// args: 37 5 ; 20 4 ; 16 1
#include "dump.h"

static int k = 9;

static void step(int n, const double *x, double *y)
{
    double w = 1;
    int i;
#pragma omp parallel for private(k) firstprivate(w)
    for (i = 1; i < n - 1; i++) {
        k = i + 1;
        w = 0.5 * (x[i - 1] + x[k]);
        y[i] = w;
    }
    y[0] = w + k;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5), i = 77, j = 78, t, last = -1;
    double *a = new_double(n, 1), *b = new_double(n, 2), w = 0.5, q = 0.25;
#pragma stencil
    for (t = 0; t < steps; t++) {
        q = 0.5 + 0.125 * t;
#pragma omp parallel for private(w) firstprivate(q)
        for (i = 1; i < n - 1; i++) {
            w = a[i - 1] + a[i + 1];
            q = q * w;
            b[i] = q;
            q = 0.5 + 0.125 * t;
        }
#pragma omp parallel private(i, j)
        {
#pragma omp for
            for (i = 1; i < n - 1; i++)
                a[i] = b[i];
#pragma omp for
            for (j = 1; j < n - 1; j++)
                b[j] = a[j];
        }
        a[0] = w * q + i + j;
    }
    printf("%d %d %d %.17g %.17g\n", i, j, t, w, q);
#pragma stencil
    for (t = 0; t < steps; t++) {
#pragma omp parallel for simd lastprivate(last)
        for (i = 1; i < n - 1; i++) {
            last = i * 2;
            b[i] = 0.25 * (a[i - 1] + a[i + 1]);
        }
#pragma omp parallel for lastprivate(w)
        for (j = 1; j < n - 1; j++) {
            w = b[j];
            a[j] = w;
        }
    }
    printf("%d %d %d %d %.17g\n", i, j, t, last, w);
    i = 7;
#pragma omp parallel for
    for (i = 0; i < n; i++)
        b[i] += i;
#pragma stencil
    for (t = 0; t < i; t++) {
        step(n, a, b);
        step(n, b, a);
    }
    printf("%d %d %d\n", i, t, k);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
