// A scalar that the nest reads lies in the array that it writes, so that the original loops must run.
// fallback: expected
#include "dump.h"

double factor = 0.25;

static void scale(int n, double *p, const double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        p[i] = a[i] + factor;
}

static void step(int n, const double *a)
{
    double k = 0.5, *p = &k;
#pragma stencil
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < n; i++)
            p[i] = a[i] + k;
    printf("%.17g\n", k);
}

static int count(int *p, const double *a)
{
    int n = 7;
    p = p ? p : &n;
#pragma stencil
    for (int i = 0; i < 1; i++)
        p[i] = (int)(100 * a[i]) + n;
    return n;
}

static void bytes(int n, unsigned char *p, const unsigned char *a)
{
    int shift = 3;
    p = p ? p : (unsigned char *)&shift;
#pragma stencil
    for (int i = 0; i < n; i++)
        p[i] = a[i] + shift;
    printf("%d\n", shift);
}

int main(void)
{
    double a[4] = { 1.5, 2.5, 3.5, 4.5 }, b[4];
    unsigned char c[2] = { 7, 9 };
    scale(1, &factor, a);
    scale(4, b, a);
    printf("%.17g\n", factor);
    show_double("b", b, 4);
    step(1, a);
    printf("%d\n", count(NULL, a));
    bytes(2, NULL, c);
    return 0;
}
