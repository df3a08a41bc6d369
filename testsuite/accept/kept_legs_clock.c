// Clocks stand between all sweeps of a step and corners beside them; a weight changes once, and time is counted between sweeps.
// args: 19 23 41 ; 8 9 3 ; 33 17 0
// form: loops that the host keeps: spent = spent + (seconds() - began);
#include <time.h>
#include "dump.h"

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), m = argument(argc, argv, 2, 23), steps = argument(argc, argv, 3, 41);
    double *u = new_double((size_t)n * m, 1), *unew = new_double((size_t)n * m, 2), *h = new_double((size_t)n * m, 3);
    double dt = 0.0625, tdt = dt, time = 0, began, spent = 0, weight;
    int i = 0, j = 0;
#pragma stencil
    for (int t = 1; t <= steps; t++) {
        began = seconds();
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                h[i * m + j] = 0.5 * (u[i * m + j] + u[(i - 1) * m + j]);
        spent = spent + (seconds() - began);
        for (j = 1; j < m - 1; j++) {
            h[j] = h[(n - 2) * m + j];
            h[(n - 1) * m + j] = h[m + j];
        }
        h[0] = h[m + 1];
        h[m - 1] = h[2 * m - 2];
        weight = tdt / 8;
        began = seconds();
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                unew[i * m + j] = u[i * m + j] + weight * (h[(i + 1) * m + j] - h[i * m + j - 1]);
        spent = spent + (seconds() - began);
        unew[0] = unew[m + 1];
        time = time + dt;
        for (j = 1; j < m - 1; j++)
            unew[j] = unew[(n - 2) * m + j];
        double *other = u;
        u = unew;
        unew = other;
        if (t == 1)
            tdt = tdt + tdt;
    }
    printf("%.17g %d %d %d\n", time, spent >= 0, i, j);
    show_double("u", u, (size_t)n * m);
    show_double("unew", unew, (size_t)n * m);
    show_double("h", h, (size_t)n * m);
    return 0;
}
