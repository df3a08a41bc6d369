// The function sees the memory as rows that are one element shorter than they are.
static void shift(void *memory, int m, int n)
{
    double (*u)[m - 1] = memory;
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            u[i][j] = 0.5 * u[i][j];
}

void run(int n, int m, int steps)
{
    double u[n][m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            u[i][j] = i + j;
#pragma stencil
    for (int t = 0; t < steps; t++)
        shift(u, m, n);
}

// remedy: s/[m - 1]/[m]/
