// Which of two borders is set last in their common corner depends on sizes that nothing tells.
void convect(double u[81][81], double old[81][81], int steps, int n, int m)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                old[i][j] = u[i][j];
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++) {
                u[i][j] = 0.5 * (old[i - 1][j] + old[i][j - 1]);
                u[80][j] = 1;
                u[i][80] = 2;
            }
    }
}

// remedy: s/stencil/stencil value(n = 81) value(m = 81)/
