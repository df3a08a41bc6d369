// The counter of a loop under a condition is read after the nest.
int relax(int n, int steps, int mode, double *a, double *b)
{
    int i = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int k = 1; k < n - 1; k++)
            b[k] = 0.5 * (a[k - 1] + a[k + 1]);
        if (mode)
            for (i = 1; i < n - 1; i++)
                a[i] = b[i];
        else
            for (int k = 1; k < n - 1; k++)
                a[k] = -b[k];
    }
    return i;
}

// remedy: s/for (i = 1/for (int i = 1/
// remedy: s/    return i;/    if (mode && steps > 0)\n        i = n > 2 ? n - 1 : 1;\n    return i;/
