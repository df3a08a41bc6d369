// Five dimensions, of which the first chooses no copy that changes with the step.
void heat(int n, int m, int p, int q, int steps, double a[2][n][m][p][q], const double b[n][m][p][q])
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int k = 0; k < p; k++)
                    for (int l = 0; l < q; l++)
                        a[1][i][j][k][l] = b[i][j][k][l];
}

// remedy: s/#pragma stencil\n/    double (*c)[m][p][q] = a[1];\n#pragma stencil\n/
// remedy: s/a[1][i]/c[i]/
