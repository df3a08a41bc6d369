// Whether accesses stay in their arrays depends on parameters, on places and on data; sizes of parameters do not count.
// args: 17 16 5 ; 9 3 1
#include "dump.h"

/* The outermost size of a parameter is no promise: `a` has n + 1 rows. */
static void sweep(int n, int m, double a[n][8], double b[n][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = a[i + 1][j];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 16), steps = argument(argc, argv, 3, 5);
    double u[n], v[n], a[20][8], b[20][8];
    for (int i = 0; i < n; i++)
        u[i] = v[i] = i % 5;
    for (int i = 0; i < 160; i++)
        a[i / 8][i % 8] = b[i / 8][i % 8] = i % 7;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < m; i++)
            v[i] = u[i + 1] + (i > 0 ? u[i - 1] : 0);
        for (int i = 0; i < m; i++)
            u[i] = 0.5 * v[i];
    }
    sweep(19, 5, a, b);
    show_double("u", u, n);
    show_double("v", v, n);
    show_double("b", &b[0][0], 160);
    return 0;
}
