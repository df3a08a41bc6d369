// Whether the program ends depends on what the nest computes.
#include <stdio.h>
#include <stdlib.h>

static double checked(double x)
{
    if (x < 0) {
        fprintf(stderr, "negative\n");
        exit(1);
    }
    return x;
}

void relax(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        a[i] = checked(b[i - 1]) + b[i + 1];
}

// remedy: s/x < 0/0/
