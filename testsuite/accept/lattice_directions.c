// Streaming on a lattice: the nest is the loop over directions, whose offsets come from tables of numbers or of structures;
// flat planes with sizes of `size_t`, and sources that are found in `int`.
// form: loops: for (q = 0; q < Q; q++)
// form: subscripts: f[q][i - c[q][0]][j - c[q][1]]
// form: subscripts: g[q * cells + (size_t)ys * nx + (size_t)xs]
// args: 3 12 9 ; 1 5 5
#include "dump.h"
#include <stddef.h>

#define Q 5

static const int c[Q][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };
static const struct {
    int x, y;
    double weight;
} directions[Q] = { { 0, 0, 0.5 }, { 1, 0, 0.125 }, { 0, 1, 0.125 }, { -1, 0, 0.125 }, { 0, -1, 0.125 } };
static double f[Q][12][9], g[Q][12][9];

static void stream(size_t nx, size_t ny, double *restrict f, const double *restrict g)
{
    const size_t cells = nx * ny;
    unsigned q;
#pragma stencil
    for (q = 0; q < Q; ++q)
        for (size_t y = 0; y < ny; ++y)
            for (size_t x = 0; x < nx; ++x) {
                const int xs = (int)x - directions[q].x, ys = (int)y - directions[q].y;
                if (xs >= 0 && xs < (int)nx && ys >= 0 && ys < (int)ny)
                    f[q * cells + y * nx + x] = g[q * cells + (size_t)ys * nx + (size_t)xs];
            }
    printf("%u\n", q);
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5), n = argument(argc, argv, 2, 12), m = argument(argc, argv, 3, 9);
    double *a = new_double((size_t)Q * n * m, 1), *b = new_double((size_t)Q * n * m, 2);
    memcpy(f, new_double(Q * 12 * 9, 3), sizeof f);
    for (int t = 0; t < steps; t++) {
        int q;
#pragma stencil
        for (q = 0; q < Q; q++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    g[q][i][j] = f[q][i - c[q][0]][j - c[q][1]];
        memcpy(f, g, sizeof f);
        stream(m, n, b, a);
        double *other = a;
        a = b;
        b = other;
    }
    show_double("f", &f[0][0][0], Q * 12 * 9);
    show_double("a", a, (size_t)Q * n * m);
    show_double("b", b, (size_t)Q * n * m);
    return 0;
}
