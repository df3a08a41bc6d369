// The numbers of the buffers are two variables, of which the end of each iteration makes the second of the first; the host looks at each
// step. The rows are behind pointers, so nothing but these numbers tells them apart.
// args: 20 7 ; 33 8 ; 5 1 ; 9 0
// form: time levels: now = next; next = 1 - now;
#include <stdio.h>
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 7), now = 0, next = 1, from = 1, to = 0;
    double *u[2] = { new_double(n, 1), new_double(n, 2) };
    float **v = malloc(2 * sizeof *v);
    v[0] = new_float(n, 3);
    v[1] = new_float(n, 4);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        u[now][0] = 0.5;
        for (int i = 1; i < n - 1; i++)
            u[next][i] = u[now][i] + 0.25 * (u[now][i - 1] - 2 * u[now][i] + u[now][i + 1]);
        printf("%d %a\n", t, u[next][n / 2]);
        now = next;
        next = 1 - now;
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[to][i] = 0.5f * v[from][i] + 0.25f * (v[from][i - 1] + v[from][i + 1]);
        from = to;
        to = (from + 1) % 2;
        if (t % 3 == 0)
            printf("%d %a\n", t, v[from][n / 3]);
    }
    for (int b = 0; b < 2; b++) {
        show_double("u", u[b], n);
        show_float("v", v[b], n);
    }
    printf("%d %d %d %d\n", now, next, from, to);
    return 0;
}
