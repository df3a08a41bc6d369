// A scalar carries a value from one point to the next.
void relax(int n, double *a, const double *b)
{
    double left = b[0];
#pragma stencil
    for (int i = 1; i < n; i++) {
        a[i] = b[i] - left;
        left = b[i];
    }
}

// remedy: s/b[i] - left/b[i] - b[i - 1]/
// remedy: s/        left = b[i];\n//
