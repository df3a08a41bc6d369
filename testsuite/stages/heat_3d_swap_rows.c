// dump: kernel
// flags: --strategy rows --time-tile 6 --tile 16,4,8
// Levels of rows in a loop: the first reads what was there, the last stores, and shorter tiles are the same kernel.
void heat(int p, int n, int m, int steps, double u[p][n][m], double v[p][n][m])
{
    double(*a)[n][m] = u, (*b)[n][m] = v;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int z = 1; z < p - 1; z++)
            for (int y = 1; y < n - 1; y++)
                for (int x = 1; x < m - 1; x++)
                    b[z][y][x] = 0.25 * (a[z][y][x - 1] + a[z][y + 1][x] + a[z - 1][y][x] + a[z + 1][y][x]);
        double(*c)[n][m] = a;
        a = b;
        b = c;
    }
}
