// Values that a point collects in an array of its own.
void smooth(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        double w[3];
        for (int k = 0; k < 3; k++)
            w[k] = b[i + k - 1];
        a[i] = w[0] + 2 * w[1] + w[2];
    }
}

// remedy: s/        double w[3];\n        for (int k = 0; k < 3; k++)\n            w[k] = b[i + k - 1];\n/        double w0 = b[i - 1], w1 = b[i], w2 = b[i + 1];\n/
// remedy: s/w[0] + 2 * w[1] + w[2]/w0 + 2 * w1 + w2/
