/* Jacobi 1-D 5-Pt (Holewinski et al., ICS 2012): the mean of five neighbours.
 * 5 flops a point. Idiom: one array of two lines, the time step's parity chooses between them.
 * Usage: jacobi-1d-5pt [n [steps]] */
#include "../support.h"

static void smooth(int n, int steps, real u[2][n])
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 2; i < n - 2; i++)
            u[(t + 1) % 2][i] = (real)0.2 * (u[t % 2][i - 2] + u[t % 2][i - 1] + u[t % 2][i] +
                                             u[t % 2][i + 1] + u[t % 2][i + 2]);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 1013, 1);
    int steps = argument(argc, argv, 2, 21, 0);
    real(*u)[n] = allocate(2 * (size_t)n, sizeof(real));

    fill(u[0], 1, 1, n, 2);
    fill(u[1], 1, 1, n, 3);

    double start = seconds();
    smooth(n, steps, u);
    report_time(start, n, steps);

    report("even", u[0], n, sizeof(real));
    report("odd", u[1], n, sizeof(real));
    free(u);
    return 0;
}
