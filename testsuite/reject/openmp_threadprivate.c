// Each thread has an array of its own for the whole program.
// flags: -fopenmp
static double a[100], b[100];
#pragma omp threadprivate(a)

void smooth(int n, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + 0.5 * a[i + 1];
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

// remedy: s/#pragma omp threadprivate(a)\n//
