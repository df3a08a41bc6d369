// dump: kernel
// flags: --kernels-for gpu --strategy local --time-tile 2 --tile 4,6,8 --work-group 8,2,2
// Time tiles in three dimensions: level 0 computes the ghost cells that level 1 reads.
void heat(int p, int n, int m, int steps, float u[p][n][m], float v[p][n][m])
{
    float(*a)[n][m] = u, (*b)[n][m] = v;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int z = 1; z < p - 1; z++)
            for (int y = 1; y < n - 1; y++)
                for (int x = 1; x < m - 1; x++)
                    b[z][y][x] = 0.25f * (a[z][y][x - 1] + a[z][y + 1][x] + a[z - 1][y][x] + a[z + 1][y][x]);
        float(*c)[n][m] = a;
        a = b;
        b = c;
    }
}
