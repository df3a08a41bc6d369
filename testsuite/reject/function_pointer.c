// A pointer to a function that the program changes.
static double half(double x) { return x * 0.5; }
static double twice(double x) { return x * 2; }
static double (*scale)(double) = half;

void choose(int n) { scale = n > 100 ? half : twice; }

void relax(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        a[i] = scale(b[i - 1]) + b[i + 1];
}

// remedy: s/scale(b/twice(b/
