// dump: nest flow tiles plan kernel
// flags: --strategy local --time-tile 2 --tile 16,8 --work-group 8,4
// The five-point Jacobi sweep with a copy-back loop: the copy is composed away, one sweep remains.
void jacobi(int n, int m, int steps, double a[n][m], double b[n][m])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
}
