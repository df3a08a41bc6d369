// Two histories that lead by different numbers of steps, and the next nest that reads them.
// args: 40 1 ; 61 9 ; 5 33
#include "dump.h"

static void step(int n, int steps, double (*u)[n], double (*v)[n], double *difference)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            u[t + 2][i] = u[t + 1][i] + 0.2 * (v[t][i + 1] - v[t][i - 1]) - 0.01 * u[t][i];
        u[t + 2][0] = 0;
        u[t + 2][n - 1] = u[t + 2][n - 2];
        for (int i = 0; i < n; i++)
            v[t + 1][i] = 0.9 * v[t][i] + 0.1 * u[t + 2][i];
    }
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            difference[t * n + i] = u[t + 2][i] - v[t + 1][i];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    size_t count = (size_t)(steps + 2) * n;
    double *u = new_double(count, 1), *v = new_double(count, 2), *difference = new_double(count, 3);
    step(n, steps, (double(*)[n])u, (double(*)[n])v, difference);
    show_double("u", u, count);
    show_double("v", v, count);
    show_double("difference", difference, count);
    return 0;
}
