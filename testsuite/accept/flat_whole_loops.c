// Flat arrays that one loop goes through by rows and columns and another one as a whole.
// form: subscripts: for (k = 0; k < n * m; k++)
// args: 9 7 5 ; 4 12 3 ; 1 1 2 ; 20 2 4
#include "dump.h"

static double react(double *u, double *v, double *un, double *vn, int n, int m, int steps)
{
    double moved = 0;
    int k = -1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        moved = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int at = i * m + j;
                double around = u[at - 1] + u[at + 1] + u[at - m] + u[at + m];
                un[at] = u[at] + 0.1 * (around - 4 * u[at]) - u[at] * v[at];
                vn[at] = v[at] + 0.2 * (v[at - m] - v[at + 1]) + u[at] * v[at];
            }
        for (k = 0; k < n * m; k++) {
            moved += un[k] - u[k];
            u[k] = un[k] + k % 3;
            v[k] = vn[k];
        }
    }
    return moved + k;
}

static void blur(int l, int n, int m, int steps, float *a, float *b, const float *weight)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (size_t q = 0; q < (size_t)l * n * m; q++)
            b[q] = a[q] * weight[q];
        for (int z = 1; z < l - 1; z++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    a[(z * n + i) * m + j] = 0.5f * (b[((z - 1) * n + i) * m + j] + b[(z * n + i + 1) * m + j - 1]);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), m = argument(argc, argv, 2, 7), steps = argument(argc, argv, 3, 5), l = 4;
    size_t cells = (size_t)n * m;
    double *u = new_double(cells, 1), *v = new_double(cells, 2), *un = new_double(cells, 3), *vn = new_double(cells, 4);
    float *a = new_float(cells * l, 5), *b = new_float(cells * l, 6), *weight = new_float(cells * l, 7);
    double moved = react(u, v, un, vn, n, m, steps);
    show_double("moved", &moved, 1);
    show_double("u", u, cells);
    show_double("v", v, cells);
    blur(l, n, m, steps, a, b, weight);
    show_float("a", a, cells * l);
    show_float("b", b, cells * l);
    return 0;
}
