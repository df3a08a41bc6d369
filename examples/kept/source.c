/* source: a source at a point, whose strength the host computes from the time. 5 flops a point.
 * Usage: source [n [m [steps]]] */
#include "kept.h"

#include <math.h>

int main(int argc, char **argv)
{
    plate p = new_plate(argc, argv);
    int n = p.n, m = p.m;
    real *u = p.u, *v = p.v;
    double time = 0, dt = 0.1;

#pragma stencil
    for (int t = 0; t < p.steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        v[n / 2 * m + m / 2] += sin(2.5 * time);
        real *tmp = u;
        u = v;
        v = tmp;
        time += dt;
        if (t % 10 == 9)
            printf("step %d, time %g\n", t, time);
    }
    p.u = u;
    p.v = v;
    end_plate(p, p.steps);
    return 0;
}
