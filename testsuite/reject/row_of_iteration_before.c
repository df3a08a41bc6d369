// A row that iterations share, of which one reads what the one before it has stored there.
void run(int n, int m, int steps, double *u, double *v, double *before)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                v[i * m + j] += 0.5 * before[j];
                before[j] = u[i * m + j];
            }
}

// remedy: s/                v[i * m + j] += 0.5 * before[j];\n//
// remedy: s/before[j] = u[i * m + j];/before[j] = u[i * m + j];\n                v[i * m + j] += 0.5 * before[j];/
