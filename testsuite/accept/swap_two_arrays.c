// Two fields, each with two buffers, swapped in the same step.
// args: 17 5 ; 20 4 ; 9 1
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *u = new_double(n, 1), *un = new_double(n, 2);
    double *v = new_double(n, 3), *vn = new_double(n, 4);
    double *memory[4] = {u, un, v, vn};
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            un[i] = u[i] + 0.1 * (v[i - 1] - v[i + 1]);
            vn[i] = v[i] - 0.2 * (u[i - 1] - u[i + 1]);
        }
        double *swap = u;
        u = un;
        un = swap;
        swap = v;
        v = vn;
        vn = swap;
    }
    printf("%d %d\n", u == memory[0], v == memory[2]);
    for (int k = 0; k < 4; k++)
        show_double("memory", memory[k], n);
    return 0;
}
