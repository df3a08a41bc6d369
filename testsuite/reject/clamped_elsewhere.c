// A loop at each point begins at a neighbour or at a place that may lie far before it.
void run(int n, int steps, const double *w, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 3; i < n - 3; i++) {
            double sum = 0;
            for (int k = i > 9 ? 3 : i - 3; k <= (i + 3 < n - 1 ? i + 3 : n - 1); k++)
                sum += w[0] * a[k];
            b[i] = sum;
        }
        double *c = a;
        a = b;
        b = c;
    }
}

// remedy: s/i > 9 ? 3 : i - 3/i > 6 ? i - 3 : 3/
