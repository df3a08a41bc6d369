// Gauss-Seidel in place: a point reads neighbours of the same step.
void relax(int n, int m, int steps, double a[n][m])
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

// remedy: s/double a[n][m]/double a[n][m], double b[n][m]/
// remedy: s/t++)/t++) {/
// remedy: s/a[i][j] =/b[i][j] =/
// remedy: s/a[i][j + 1]);/a[i][j + 1]);\n        for (int i = 1; i < n - 1; i++)\n            for (int j = 1; j < m - 1; j++)\n                a[i][j] = b[i][j];\n    }/
