// Tiles whose size only the running program knows, of points that need what other points of the sweep store.
void shear(int n, int m, int size, double (*a)[m], double (*b)[m])
{
#pragma stencil
    for (int ii = 0; ii < n - 1; ii += size)
        for (int jj = 1; jj < m; jj += size)
            for (int i = ii; i < ii + size && i < n - 1; i++)
                for (int j = jj; j < jj + size && j < m; j++)
                    a[i][j] = a[i + 1][j - 1];
}

// The tiles leave out no column, but the last one is as wide as the others.
void fill(int n, int size, double *a)
{
#pragma stencil
    for (int ii = 0; ii < n; ii += size)
        for (int i = ii; i < ii + size; i++)
            a[i] = 1;
}

// remedy: s/a[i][j] = a/b[i][j] = a/
// remedy: s/i < ii + size; i++/i < ii + size && i < n; i++/
