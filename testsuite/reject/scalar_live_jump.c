// A jump leads past the assignment that would make the nest's value of no use.
double relax(int n, double *a, int rounds)
{
    double last = 0;
    for (int k = 0; k < rounds; k++) {
#pragma stencil
        for (int i = 1; i < n - 1; i++) {
            last = 0.5 * a[i];
            a[i] = last;
        }
        if (k == 7)
            break;
        last = 0;
    }
    return last;
}

// remedy: s/last = 0.5 * a[i];\n            a[i] = last;\n        }/a[i] = 0.5 * a[i];\n        }\n        if (n > 2)\n            last = a[n - 2];/
