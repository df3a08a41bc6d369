// Some points are left out by continue.
void relax(int n, const int *solid, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        if (solid[i])
            continue;
        a[i] = 0.5 * (b[i - 1] + b[i + 1]);
    }
}

// remedy: s/#pragma stencil\n/#pragma stencil extent(b[0:n])\n/
// remedy: s/if (solid[i])\n            continue;\n        a/if (!solid[i])\n            a/
