// dump: nest flow tiles
// flags: --strategy local --time-tile 2 --tile 8,8,4
// Two half sweeps a step on flat pointers: two sweeps, no copy.
#define AT(f, z, y, x) f[((z) * n + (y)) * m + (x)]
#define SWEEP(to, from)                                                                        \
    for (int z = 1; z < p - 1; z++)                                                            \
        for (int y = 1; y < n - 1; y++)                                                        \
            for (int x = 1; x < m - 1; x++)                                                    \
                AT(to, z, y, x) = AT(from, z, y, x - 1) + AT(from, z, y, x + 1)                \
                                  + AT(from, z, y - 1, x) + AT(from, z, y + 1, x)              \
                                  + AT(from, z - 1, y, x) + AT(from, z + 1, y, x);

void heat(int p, int n, int m, int steps, double *u, double *v)
{
/*nest*/
    for (int t = 0; t < steps; t++) {
        SWEEP(v, u)
        SWEEP(u, v)
    }
}
