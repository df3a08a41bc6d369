// Tiles of rows with three slots that all are results: short tiles leave none of them to a level that they do not have.
// args: 4 8 3 ; 4 8 4 ; 4 8 7 ; 9 17 8 ; 21 13 9 ; 11 30 14
#include "dump.h"

static void advance(int n, int m, int steps, double (*a)[n][m])
{
#pragma stencil strategy(rows) time_tile(5)
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 2; i++)
            for (int j = 0; j < m - 3; j++)
                a[(t + 1) % 3][i][j] = 0.5 * a[t % 3][i][j] + 0.25 * a[t % 3][i][j + 2];
}

static void wave(int n, int m, int steps, double (*u)[n][m])
{
#pragma stencil strategy(rows) time_tile(7)
    for (int t = 2; t < steps + 2; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[t % 4][i][j] = u[(t + 3) % 4][i][j] - 0.5 * u[(t + 2) % 4][i][j]
                                 + 0.1 * (u[(t + 3) % 4][i - 1][j] + u[(t + 3) % 4][i][j + 1]);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    size_t plane = (size_t)n * m;
    double *a = new_double(3 * plane, 1), *u = new_double(4 * plane, 2);
    advance(n, m, steps, (double (*)[n][m])a);
    wave(n, m, steps, (double (*)[n][m])u);
    for (int k = 0; k < 3; k++)
        show_double("a", a + k * plane, plane);
    for (int k = 0; k < 4; k++)
        show_double("u", u + k * plane, plane);
    return 0;
}
