// A square grid with a border whose rows are as long as one of two sizes says, or the other.
// args: 20 7 ; 33 3 ; 1 2
// notes: the device runs this nest only where `m == n`
// form: subscripts: u[i * (m + 2)] = u[i * (n + 2) + 1];
#include "dump.h"

static void heat(int n, int m, int steps, double *u, double *v)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                v[i * (m + 2) + j] = 0.25 * (u[(i - 1) * (m + 2) + j] + u[(i + 1) * (m + 2) + j]
                                             + u[i * (m + 2) + j - 1] + u[i * (m + 2) + j + 1]);
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                u[i * (m + 2) + j] = v[i * (m + 2) + j];
        for (int i = 1; i <= n; i++) {
            u[i * (m + 2)] = u[i * (n + 2) + 1];
        }
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 5);
    int count = (n + 2) * (n + 2);
    double *u = new_double(count, 1), *v = new_double(count, 2);
    heat(n, n, steps, u, v);
    show_double("u", u, count);
    show_double("v", v, count);
    return 0;
}
