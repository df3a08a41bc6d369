/* printed: a line a step, and samples of a row every ten steps. 5 flops a point.
 * Usage: printed [n [m [steps]]] */
#include "kept.h"

int main(int argc, char **argv)
{
    plate p = new_plate(argc, argv);
    int n = p.n, m = p.m;
    real *u = p.u, *v = p.v;
    real *row = allocate((size_t)m, sizeof(real));

#pragma stencil
    for (int t = 0; t < p.steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        real *tmp = u;
        u = v;
        v = tmp;
        printf("step %d\n", t);
        if (t % 10 == 9) {
            memcpy(row, u + (n / 2) * m, m * sizeof(real));
            report("row", row, (size_t)m, sizeof(real));
        }
    }
    p.u = u;
    p.v = v;
    end_plate(p, p.steps);
    free(row);
    return 0;
}
