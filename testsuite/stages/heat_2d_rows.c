// dump: kernel
// flags: --kernels-for cpu --strategy rows --time-tile 3 --tile 16,32
// Rows in two dimensions: a ring holds as many rows of each level as the next one reads.
void heat(int n, int m, int steps, float u[n][m], float v[n][m])
{
    float(*a)[m] = u, (*b)[m] = v;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < m - 1; x++)
                b[y][x] = 0.25f * (a[y][x - 1] + a[y][x + 1] + a[y - 1][x] + a[y + 1][x]);
        float(*c)[m] = a;
        a = b;
        b = c;
    }
}
