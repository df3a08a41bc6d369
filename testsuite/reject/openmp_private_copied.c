// Each thread has a copy of an array, and what it stores there is not what the program prints.
// flags: -fopenmp
#include <stdio.h>

void smooth(int n, int steps, double *a, double *b)
{
    double both[3] = { 1, 2, 3 };
#pragma stencil
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for firstprivate(both)
        for (int i = 1; i < n - 1; i++) {
            both[0] = a[i - 1];
            both[1] = a[i + 1];
            b[i] = 0.5 * (both[0] + both[1]);
        }
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    printf("%g %g\n", both[0], both[2]);
}

// remedy: s/ firstprivate(both)//
// remedy: s/            both[0] = a[i - 1];/            double both[2] = { a[i - 1], a[i + 1] };/
// remedy: s/            both[1] = a[i + 1];\n//
