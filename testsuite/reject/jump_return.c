// The function returns from inside the nest.
int relax(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        if (b[i] > 1e30)
            return 1;
        a[i] = 0.5 * (b[i - 1] + b[i + 1]);
    }
    return 0;
}

// remedy: s/#pragma stencil\n    for (int i = 1; i < n - 1; i++) {/    for (int i = 1; i < n - 1; i++)/
// remedy: s/            return 1;\n/            return 1;\n#pragma stencil\n    for (int i = 1; i < n - 1; i++)\n/
// remedy: s/    }\n//
