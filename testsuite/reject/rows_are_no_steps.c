// A loop over rows, however it counts, takes no sub-steps that the device might do beside what the host does.
void fill(int n, int m, long *a, int steps)
{
    int i, j;
#pragma stencil
    for (int t = 0; t != steps; ++t) {
        for (i = 3; i + 3 < n; i = i + 1)
            for (j = 3; j <= m - 4; j++)
                a[i * m + j] = 1;
        for (i = 3; i <= n - 4; ++i)
            for (j = 4; j < m - 4; j++)
                a[i * m + j] = a[i * m + j - 2];
    }
}

// remedy: s/long *a, int/long *a, long *b, int/
// remedy: s/a[i * m + j] = a[i * m + j - 2];/b[i * m + j] = a[i * m + j - 2];\n        for (i = 3; i <= n - 4; ++i)\n            for (j = 4; j < m - 4; j++)\n                a[i * m + j] = b[i * m + j];/
