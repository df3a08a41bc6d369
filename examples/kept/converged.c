/* converged: until no point changes by more than a tolerance, or for as many steps as are allowed. 5 flops a point.
 * Usage: converged [n [m [steps]]] */
#include "kept.h"

#include <math.h>

int main(int argc, char **argv)
{
    plate p = new_plate(argc, argv);
    int n = p.n, m = p.m, t = 0;
    real *u = p.u, *v = p.v;
    double change = 1, tolerance = 1e-5;

#pragma stencil
    while (t < p.steps && change > tolerance) {
        change = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
                change = fmax(change, fabs(v[i * m + j] - u[i * m + j]));
            }
        real *tmp = u;
        u = v;
        v = tmp;
        t++;
    }
    printf("%d steps, change %a\n", t, change);
    p.u = u;
    p.v = v;
    end_plate(p, t);
    return 0;
}
