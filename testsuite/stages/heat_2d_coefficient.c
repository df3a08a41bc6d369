// dump: kernel
// flags: --strategy stream --time-tile 2 --per-item 2 --work-group 32,1
// A stream that reads a coefficient field where it is: rows of it are brought near as those of the grid are.
void heat(int n, int m, int steps, double u[n][m], double v[n][m], double c[n][m])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = u[i][j] + c[i][j] * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = v[i][j];
    }
}
