/* Jacobi 1-D 7-Pt (Holewinski et al., ICS 2012): the mean of seven neighbours.
 * 7 flops a point. Idiom: C89 declarations, loops that count down, `>` and `>=`, a copy-back loop.
 * Usage: jacobi-1d-7pt [n [steps]] */
#include "../support.h"

#define RADIUS 3
#define WEIGHT (1.0 / (2 * RADIUS + 1))

int main(int argc, char **argv)
{
    int n, steps, t, i;
    real *cur, *next;
    double start;

    n = argument(argc, argv, 1, 1019, 1);
    steps = argument(argc, argv, 2, 19, 0);
    cur = allocate(n, sizeof(real));
    next = allocate(n, sizeof(real));
    fill(cur, 1, 1, n, 4);
    fill(next, 1, 1, n, 5);

    start = seconds();
#pragma stencil
    for (t = steps; t > 0; t--) {
        for (i = n - 1 - RADIUS; i >= RADIUS; i--)
            next[i] = WEIGHT * (cur[i - 3] + cur[i - 2] + cur[i - 1] + cur[i] + cur[i + 1] +
                                cur[i + 2] + cur[i + 3]);
        for (i = RADIUS; i <= n - 1 - RADIUS; i++)
            cur[i] = next[i];
    }
    report_time(start, n, steps);

    report("cur", cur, n, sizeof(real));
    report("next", next, n, sizeof(real));
    free(cur);
    free(next);
    return 0;
}
