/* Arrays that are one or overlap: in each nest some element is read after it was written, or written to both. */
#include "dump.h"

static void behind(int n, double *o, const double *a)
{
#pragma stencil
    for (int i = 1; i < n; i++)
        o[i] = 0.5 * (a[i - 1] + a[i]);
}

static void twice(int n, double *o, const double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        o[i] = 0.5 * a[i];
        o[i] += a[i];
    }
}

static void both(int n, double *o, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        double x = a[i];
        o[i] = x + 1.0;
        a[i] = x - 1.0;
    }
}

static void again(int n, int steps, double *o, const double *a)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            o[i] = 0.5 * a[i] + t;
}

static double left(int n, double *o, const double *a)
{
    double last = 0.0;
#pragma stencil
    for (int i = 0; i < n; i++) {
        last = a[i];
        o[i] = 0.5 * last;
    }
    return last;
}

static void rows(int n, int m, double o[][m], const double *a)
{
#pragma stencil extent(a[0:n][0:2*m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            o[i][j] = 0.5 * a[i * 2 * m + j];
}

static void shifted(int n, double *o, const double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        o[i] = 0.5 * a[i];
}

int main(void)
{
    enum { N = 40 };
    double *a = new_double(2 * N, 1);
    behind(N, a, a);
    twice(N, a, a);
    both(N, a, a);
    again(N, 3, a, a);
    printf("%a\n", left(N, a, a));
    rows(4, 5, (double (*)[5])a, a);
    shifted(N, a + 1, a);
    show_double("a", a, 2 * N);
    return 0;
}
