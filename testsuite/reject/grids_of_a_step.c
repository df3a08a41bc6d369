// A grid that a step declares and does not fill before it reads it.
void border(int n, int m, int steps, double u[n][m])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double next[n][m];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i][j] = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1];
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = next[i][j];
    }
}

// remedy: s/#pragma stencil/double next[n][m];\n#pragma stencil/
// remedy: s/        double next[n][m];\n//
