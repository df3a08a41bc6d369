// The outer loop computes each row from the one before and is no time loop: a history of every other step, one whose steps read a
// first row, a sweep down the rows, and one that reads rows ahead.
void history(double h[100][64])
{
#pragma stencil
    for (int t = 0; t < 98; t += 2)
        for (int i = 1; i < 63; i++)
            h[t + 2][i] = h[t][i - 1] + h[t][i + 1];
}

void later(double h[100][64])
{
#pragma stencil
    for (int t = 0; t < 99; t++)
        for (int i = 1; i < 63; i++)
            h[t + 1][i] = h[t][i - 1] + h[0][i + 1];
}

void downward(int n, int m, double a[n][m])
{
#pragma stencil
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            for (int k = -1; k <= 1; k++)
                a[i][j] += a[i - 1][j + k] + a[i - 1][j];
}

void relaxed(int n, int m, double a[n][m])
{
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        for (int j = 1; j < m; j++)
            a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j]);
    }
}

// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
