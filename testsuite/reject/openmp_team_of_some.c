// One thread comes to the nest, whose loops the team shares: no compiler takes this, and the driver's call would wait for the others.
// flags: -fopenmp
void smooth(int n, int steps, double *a, double *b)
{
#pragma omp parallel
    {
#pragma omp master
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
}

// remedy: s/#pragma omp master\n        {/        {/
