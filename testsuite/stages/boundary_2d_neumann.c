// dump: nest flow steps
// Borders copied from the interior after the sweep: sweeps of lower dimension, reads in the same step.
void diffuse(int n, int m, int steps, double a[n][m], double b[n][m])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
        for (int j = 0; j < m; j++) {
            a[0][j] = a[1][j];
            a[n - 1][j] = a[n - 2][j];
        }
        for (int i = 0; i < n; i++)
            a[i][0] = a[i][1];
    }
}
