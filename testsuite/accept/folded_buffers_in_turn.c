// The numbers of the buffers are two variables, of which the end of each iteration makes the second of the first; the step folds a sum
// over points, which the host prints, and a maximum, by which it ends the loop.
// args: 20 7 ; 33 40 ; 5 1 ; 9 0
// form: sums, maxima and counts over points: now = next; next = 1 - now;
#include <math.h>
#include <stdio.h>
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 7), now = 0, next = 1, t;
    float **u = malloc(2 * sizeof *u);
    u[0] = new_float(n, 1);
    u[1] = new_float(n, 2);
#pragma stencil
    for (t = 0; t < steps; t++) {
        float total = 0;
        double change = 0;
        for (int i = 1; i < n - 1; i++)
            u[next][i] = u[now][i] + 0.25f * (u[now][i - 1] - 2 * u[now][i] + u[now][i + 1]);
        for (int i = 1; i < n - 1; i++)
            total += u[next][i] * u[now][i];
        for (int i = 1; i < n - 1; i++)
            change = fmax(change, fabs(u[next][i] - u[now][i]));
        printf("%d %a\n", t, total);
        if (change < 1e-2)
            break;
        now = next;
        next = 1 - now;
    }
    for (int b = 0; b < 2; b++)
        show_float("u", u[b], n);
    printf("%d %d %d\n", t, now, next);
    return 0;
}
