// A region says of all its variables what they are, and a function that the nest calls needs one that the region does not name.
// flags: -fopenmp
static int n;

static void step(double *b, const double *a)
{
#pragma omp for
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + 0.5 * a[i + 1];
}

void smooth(int size, int steps, double *a, double *b)
{
    n = size;
#pragma omp parallel default(none) shared(steps, a, b)
    {
#pragma stencil
        for (int t = 0; t < steps; t++) {
            step(b, a);
            step(a, b);
        }
    }
}

// remedy: s/shared(steps, a, b)/shared(steps, a, b) shared(n)/
