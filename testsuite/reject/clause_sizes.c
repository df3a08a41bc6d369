// Sizes of `extent` clauses that mean nothing, or another array than the type does: what is wrong is told at the pragma.
#define SIZE(n) ((n) + ROWS)

void undeclared(int n, double *a, double *b)
{
#pragma stencil extent(a[0:SIZE(n)])
    for (int i = 0; i < n; i++)
        if (b[i] > 0.0)
            b[i] = a[2 * i];
}

void other_rows(int n, int m, double (*a)[m], double (*b)[m])
{
#pragma stencil extent(a[0:2 * n][0:n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (b[i][j] > 0.0)
                b[i][j] = a[2 * i][j];
}

void too_few(int n, int m, double (*a)[m], double (*b)[m])
{
#pragma stencil extent(a[0:2 * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (b[i][j] > 0.0)
                b[i][j] = a[2 * i][j];
}

// remedy: s/#define SIZE(n) ((n) + ROWS)/#define SIZE(n) (2 * (n))/
// remedy: s/a[0:2 * n][0:n]/a[0:2 * n][0:m]/
// remedy: s/extent(a[0:2 * n])/extent(a[0:2 * n][0:m])/
