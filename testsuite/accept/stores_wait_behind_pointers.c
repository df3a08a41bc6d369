// Rows that pointers in structures lead to are updated in place under a condition on several of them, then all go into another structure.
// args: 9 ; 1 ; 4
// form: time levels: if (!wall[k] && from->f[1][k] > w && from->f[2][k] > w)
#include "dump.h"

enum { NX = 22, NY = 17 };

typedef struct {
    double *f[3];
} cells;

static void advance(cells *from, cells *to, const int *wall, double w, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < NX; i++) {
            int k = i + (NY - 2) * NX;
            if (!wall[k] && from->f[1][k] > w && from->f[2][k] > w) {
                from->f[1][k] += w;
                from->f[2][k] -= w;
            }
        }
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                int k = i + j * NX, east = (i + 1) % NX + j * NX;
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
    int steps = argument(argc, argv, 1, 9), wall[NY * NX];
    cells a, b;
    for (int k = 0; k < NY * NX; k++)
        wall[k] = k % 7 == 3;
    for (int q = 0; q < 3; q++) {
        a.f[q] = new_double(NY * NX, q);
        b.f[q] = new_double(NY * NX, 5 + q);
    }
    advance(&a, &b, wall, 0.05, steps);
    for (int q = 0; q < 3; q++) {
        show_double("a", a.f[q], NY * NX);
        show_double("b", b.f[q], NY * NX);
    }
    return 0;
}
