/* counted: a heated plate for a known number of steps; what the other programs are compared with. 5 flops a point.
 * Usage: counted [n [m [steps]]] */
#include "kept.h"

int main(int argc, char **argv)
{
    plate p = new_plate(argc, argv);
    int n = p.n, m = p.m;
    real *u = p.u, *v = p.v;

#pragma stencil
    for (int t = 0; t < p.steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        real *tmp = u;
        u = v;
        v = tmp;
    }
    p.u = u;
    p.v = v;
    end_plate(p, p.steps);
    return 0;
}
