// Threads of a parallel region around the nest share its loops, and the host keeps its time loop, which all threads run.
// flags: -fopenmp
#include <stdio.h>
void smooth(int n, int steps, double *a, double *b)
{
#pragma omp parallel
    {
#pragma stencil
        for (int t = 0; t < steps; t++) {
#pragma omp for
            for (int i = 1; i < n - 1; i++)
                b[i] = a[i - 1] + 0.5 * a[i + 1];
#pragma omp for
            for (int i = 1; i < n - 1; i++)
                a[i] = b[i];
#pragma omp master
            printf("%d\n", t);
        }
    }
}

// remedy: s/#pragma omp parallel\n    {/    {/
// remedy: s/#pragma omp for/#pragma omp parallel for/g
// remedy: s/#pragma omp master\n//
