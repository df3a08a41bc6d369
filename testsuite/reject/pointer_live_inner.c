// A pointer to the rows of an array is read after the nest.
double *relax(int n, int m, int steps, double *a, const double *b)
{
    double *row = a;
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++) {
            row = a + i * m;
            for (int j = 1; j < m - 1; j++)
                row[j] = b[i * m + j - 1] + b[i * m + j + 1] + t;
        }
    return row;
}

// remedy: s/            row = a/            double *row = a/
// remedy: s/return row/return n > 2 && steps > 0 ? a + (n - 2) * m : row/
