// Pointers whose tests may have another outcome in each iteration, and comparisons with what is not null.
void swapped(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            if (a != 0)
                b[i] = a[i - 1];
        double *old = a;
        a = b;
        b = old;
    }
}

void compared(int n, double *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        if (a != b)
            b[i] = a[i];
}

// remedy: s/double *a, double *b)\n{\n#pragma stencil\n    for (int t/double *a, double *b, const double *on)\n{\n#pragma stencil\n    for (int t/
// remedy: s/if (a != 0)/if (on != 0)/
// remedy: s/        if (a != b)\n            b[i] = a[i];/        b[i] = a[i];/
