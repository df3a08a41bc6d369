// A row behind pointers in a structure that nothing but what is under a condition shows to exist.
// remedy: s/            if (!wall/            double p = from->f[1][k], q = from->f[2][k];\n            if (!wall/
// remedy: s/from->f[1][k] > w && from->f[2][k] > w/p > w && q > w/
typedef struct {
    double *f[3];
} cells;

void advance(cells *from, cells *to, const int *wall, double w, int n, int m, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < m; i++) {
            int k = i + (n + 1) * m;
            if (!wall[k] && from->f[1][k] > w && from->f[2][k] > w) {
                from->f[1][k] += w;
                from->f[2][k] -= w;
            }
        }
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                int k = i + j * m, east = (i + 1) % m + j * m;
                double p = from->f[0][k], q = from->f[1][east], r = from->f[2][k];
                to->f[0][k] = wall[k] ? p : 0.9 * p + 0.1 * (q - r);
                to->f[1][k] = wall[k] ? r : 0.9 * q + 0.1 * (r - p);
                to->f[2][k] = wall[k] ? q : 0.9 * r + 0.1 * (p - q);
            }
        cells *other = from;
        from = to;
        to = other;
    }
}
