// An array of pointers to rows.
void relax(int n, int m, double **a, double **b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

// remedy: s/double **a, double **b/double (*a)[m], double (*b)[m]/
