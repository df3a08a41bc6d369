// A neighbour in rows behind pointers is read only where a mask allows it, and nothing else shows that there is such an element.
void spread(int n, int m, double **a, double **b, int **open)
{
#pragma stencil
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            if (open[i][j])
                a[i][j] = 0.5 * (b[i][j] + b[i - 1][j]);
}

// remedy: s/#pragma stencil\n/#pragma stencil extent(b[0:n][0:m]) extent(a[0:n][0:m])\n/
