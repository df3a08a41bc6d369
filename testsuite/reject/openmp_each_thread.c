// What each thread of a team does, one after the other: how often it is done depends on how many there are.
// flags: -fopenmp
void smooth(int n, int steps, double *a, double *b, int *count)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
#pragma omp parallel
        {
#pragma omp for
            for (int i = 1; i < n - 1; i++)
                b[i] = a[i - 1] + 0.5 * a[i + 1];
#pragma omp critical
            count[0]++;
#pragma omp for
            for (int i = 1; i < n - 1; i++)
                a[i] = b[i];
        }
    }
}

// remedy: s/#pragma omp critical/#pragma omp single/
