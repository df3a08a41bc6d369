// Data chooses where something is stored in a small array of the nest's own.
void counts(int n, const int *kind, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        double sum[3] = {0, 0, 0};
        sum[kind[i]] += b[i - 1];
        a[i] = sum[0] + 2 * sum[1];
    }
}

// remedy: s/        sum[kind[i]] += b[i - 1];/        if (kind[i] == 0)\n            sum[0] += b[i - 1];\n        if (kind[i] == 1)\n            sum[1] += b[i - 1];/
