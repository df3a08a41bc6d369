// A scalar is set at some points only, and read after the nest.
int relax(int n, double *a, const double *b)
{
    int last = -1;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        a[i] = 0.5 * b[i];
        if (b[i] > 0)
            last = i;
    }
    return last;
}

// remedy: s/        if (b[i] > 0)\n            last = i;\n    }/    }\n    for (int i = 1; i < n - 1; i++)\n        if (b[i] > 0)\n            last = i;/
