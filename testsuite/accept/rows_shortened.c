// Tiles of rows that are shortened until there are enough for all compute units; two fields with domains of their own, and
// planes whose corners are read across a boundary that differs from buffer to buffer.
// args: 200 90 40 12 ; 61 47 9 17 ; 37 8 30 5
#include "dump.h"

static void couple(int n, int m, int steps, double (*e)[m], double (*h)[m])
{
#pragma stencil strategy(rows) time_tile(3) tile(40,100)
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n; i++)
            for (int j = 0; j < m - 1; j++)
                e[i][j] = 0.7 * e[i][j] - 0.2 * (h[i][j] - h[i - 2][j]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 1; j < m - 2; j++)
                h[i][j] = h[i][j] - 0.3 * (e[i + 1][j] - e[i][j] + e[i][j + 2] - e[i][j - 1]);
    }
}

static void smooth(int n, int m, int p, int steps, double (*u)[m][p], double (*v)[m][p])
{
#pragma stencil strategy(rows) time_tile(2) tile(16,9,64)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < p - 1; k++)
                    v[i][j][k] = 0.2 * (u[i - 1][j - 1][k - 1] + u[i - 1][j + 1][k + 1] + u[i][j][k] +
                                        u[i + 1][j - 1][k + 1] + u[i + 1][j + 1][k - 1]);
        double (*w)[m][p] = u;
        u = v;
        v = w;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 200);
    int m = argument(argc, argv, 2, 90);
    int p = argument(argc, argv, 3, 40);
    int steps = argument(argc, argv, 4, 12);
    size_t plane = (size_t)n * m, cells = plane * p;
    double *e = new_double(plane, 1), *h = new_double(plane, 2);
    double *u = new_double(cells, 3), *v = new_double(cells, 4);
    couple(n, m, steps, (double (*)[m])e, (double (*)[m])h);
    smooth(n, m, p, steps, (double (*)[m][p])u, (double (*)[m][p])v);
    show_double("e", e, plane);
    show_double("h", h, plane);
    show_double("u", u, cells);
    show_double("v", v, cells);
    free(e);
    free(h);
    free(u);
    free(v);
    return 0;
}
