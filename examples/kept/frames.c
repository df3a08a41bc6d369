/* frames: writes the whole plate every hundred steps. 5 flops a point.
 * Usage: frames [n [m [steps [file]]]] */
#include "kept.h"

int main(int argc, char **argv)
{
    plate p = new_plate(argc, argv);
    int n = p.n, m = p.m;
    real *u = p.u, *v = p.v;
    FILE *file = fopen(argc > 4 ? argv[4] : "/dev/null", "wb");
    if (file == NULL)
        return 1;

#pragma stencil
    for (int t = 0; t < p.steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        real *tmp = u;
        u = v;
        v = tmp;
        if (t % 100 == 99 && fwrite(u, sizeof(real), p.points, file) != p.points)
            return 1;
    }
    p.u = u;
    p.v = v;
    end_plate(p, p.steps);
    fclose(file);
    return 0;
}
