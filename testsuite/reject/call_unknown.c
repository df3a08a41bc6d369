// A call to a function that only the program knows.
double limiter(double x, double y);

void relax(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        a[i] = b[i] + limiter(b[i] - b[i - 1], b[i + 1] - b[i]);
}

// remedy: s/double limiter(double x, double y);/#define LIMITER(x, y) ((x) < (y) ? (x) : (y))/
// remedy: s/limiter(/LIMITER(/
