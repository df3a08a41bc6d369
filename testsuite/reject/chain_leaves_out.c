// A chain of conditions on places that leaves one place out: there the value of the place before would be used.
void relax(int n, double *a, const double *b)
{
    double d;
#pragma stencil
    for (int i = 0; i < n; i++) {
        if (i == 0)
            d = b[1];
        else if (i == n - 1)
            d = b[i - 1];
        else if (i > 1)
            d = b[i - 1] + b[i + 1];
        a[i] = d;
    }
}

// remedy: s/else if (i > 1)/else/
