// The host's compiler might fuse the product and the sum that the scalar holds in the end.
double relax(int n, double *a, const double *b)
{
    double last = 0;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        last = 0.5 * b[i] + b[i - 1];
        a[i] = last;
    }
    return last;
}

// remedy: s/last = 0.5 * b[i] + b[i - 1];\n        a[i] = last;\n    }/a[i] = 0.5 * b[i] + b[i - 1];\n    }\n    if (n > 2)\n        last = a[n - 2];/
