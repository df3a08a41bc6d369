// A goto and its label inside the nest.
void relax(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        if (b[i] > 1.0)
            goto next;
        a[i] = 0.5 * (b[i - 1] + b[i + 1]);
    next:;
    }
}

// remedy: s/#pragma stencil\n/#pragma stencil extent(b[0:n])\n/
// remedy: s/if (b[i] > 1.0)\n            goto next;\n        a/if (b[i] <= 1.0)\n            a/
// remedy: s/    next:;\n//
