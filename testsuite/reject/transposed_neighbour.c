// A written array is read transposed within the time loop: no constant distance.
void relax(int n, int steps, double a[n][n], double b[n][n])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.5 * (a[j][i] + a[i][j - 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
}
