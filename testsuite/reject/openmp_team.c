// Threads of a parallel region around the nest share its loops, so that each of them would have the device do all.
// flags: -fopenmp
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
        }
    }
}

// remedy: s/#pragma omp parallel\n    {/    {/
// remedy: s/#pragma omp for/#pragma omp parallel for/g
