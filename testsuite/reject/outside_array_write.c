// A boundary loop writes before the start of an array.
void sweep(int n, int steps)
{
    double a[n], b[n];
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            b[i - 1] = 2 * a[i];
        for (int i = 0; i < n; i++)
            a[i] = b[i];
    }
}

// remedy: s/int i = 0/int i = 1/
