// dump: kernel
// flags: --kernels-for gpu --strategy direct
// Two dimensions, one launch a step: each work-item computes a cell of its own, and guards its two ends.
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
