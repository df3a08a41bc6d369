// Every point adds to a scalar that is returned.
double total(int n, const double *a, double *b)
{
    double sum = 0.0;
#pragma stencil
    for (int i = 0; i < n; i++) {
        b[i] = 2.0 * a[i];
        sum += a[i];
    }
    return sum;
}

// remedy: s/        sum += a[i];\n    }/    }\n    for (int i = 0; i < n; i++)\n        sum += a[i];/
