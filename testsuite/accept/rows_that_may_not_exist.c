// Rows behind pointers in structures are used under conditions: where there is one row alone, it is none of those that are there, which
// the driver sees before it starts.
// form: time levels: from->f[1][i + jj * nx] += w;
// args: 22 17 9 ; 5 2 4 ; 30 20 0 ; 22 1 6
// fallback: allowed
#include "dump.h"

typedef struct {
    double *f[3];
} cells;

static void advance(int nx, int ny, cells *from, cells *to, const int *wall, double w, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        const int jj = ny - 2;
        for (int i = 0; i < nx; i++) {
            if (!wall[i + jj * nx] && from->f[1][i + jj * nx] > w && from->f[2][i + jj * nx] > w) {
                from->f[1][i + jj * nx] += w;
                from->f[2][i + jj * nx] -= w;
            }
        }
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                int k = i + j * nx, east = (i + 1) % nx + j * nx;
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
int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 22), ny = argument(argc, argv, 2, 17), steps = argument(argc, argv, 3, 9);
    size_t size = (size_t)nx * ny;
    int *wall = new_int(size + nx, 1);
    for (int k = 0; k < (ny + 1) * nx; k++)
        wall[k] = k < nx || k % 7 == 3;
    cells a, b;
    for (int q = 0; q < 3; q++) {
        a.f[q] = new_double(size, q);
        b.f[q] = new_double(size, 5 + q);
    }
    advance(nx, ny, &a, &b, wall + nx, 0.05, steps);
    for (int q = 0; q < 3; q++) {
        show_double("a", a.f[q], size);
        show_double("b", b.f[q], size);
    }
    return 0;
}
