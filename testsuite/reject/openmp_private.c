// Each thread has an array of its own in the nest, and all of them leave that of the program as it is.
// flags: -fopenmp
void smooth(int n, int steps, double *a, double *b)
{
    double sums[1000];
#pragma stencil
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for private(sums)
        for (int i = 1; i < n - 1; i++) {
            sums[i] = a[i - 1] + a[i + 1];
            b[i] = 0.5 * sums[i];
        }
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    a[0] = sums[1];
}

// remedy: s/ private(sums)//
// remedy: s/            sums[i] = /            double sum = /
// remedy: s/sums[i]/sum/
