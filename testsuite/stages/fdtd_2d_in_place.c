// dump: nest flow tiles steps
// flags: --strategy local --time-tile 3 --tile 16,16
// Three fields in place: dependences within a step run only from field to field.
void fdtd(int n, int m, int steps, double ex[n][m], double ey[n][m], double hz[n][m], const double *source)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < m; j++)
            ey[0][j] = source[t];
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++)
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}
