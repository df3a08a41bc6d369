#include <stdio.h>

void wrap(int n, int m, double *a)
{
    for (int j = 0; j < m; j++)
        a[j] = a[(n - 2) * m + j];
}

void fade(int n, int m, double *a)
{
    double weaker(double value);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = weaker(a[i * m + j]);
}

double weaker(double value) { return value * 0.96875; }

void report(int t, double value) { printf("step %d: %.17g\n", t, value); }
