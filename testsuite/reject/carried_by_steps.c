// A scalar that goes from point to point.
void sum_over_space(int n, double dx, double *a)
{
    double x = 0;
#pragma stencil
    for (int i = 0; i < n; i++) {
        a[i] = x;
        x += dx;
    }
}

// remedy: s/a[i] = x/a[i] = dx * i/
// remedy: s/        x += dx;\n//
