// Two numbers choose buffers behind row pointers, and each step exchanges them by a third one: in it, or behind what the host prints.
// args: 19 14 ; 9 2 ; 3 1
// form: loops that the host keeps: tmp = now; now = next; next = tmp;
// form: loops that the host keeps: { int old = to; to = from; from = old; }
#include "dump.h"

static double **rows(int n, int seed)
{
    double **u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++)
        u[i] = new_double(n, seed + i);
    return u;
}

static void show(double **u, int n)
{
    for (int i = 0; i < n; i++) {
        show_double("row", u[i], n);
        free(u[i]);
    }
    free(u);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), steps = argument(argc, argv, 2, 14), now = 0, next = 1, tmp;
    int from = 1, to = 0;
    double **u[2] = { rows(n, 1), rows(n, 40) }, **v[2] = { rows(n, 80), rows(n, 120) };

#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[next][i][j] = 0.25 * (u[now][i - 1][j] + u[now][i + 1][j] + u[now][i][j - 1] + u[now][i][j + 1]);
        tmp = now; now = next; next = tmp;
        if (t % 5 == 3)
            printf("step %d: %a from %d to %d\n", t, u[now][n / 2][n / 3], tmp, now);
    }
    printf("%d %d\n", now, next);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[to][i][j] = v[from][i][j] + 0.1 * (v[from][i - 1][j] - 2 * v[from][i][j] + v[from][i + 1][j]);
        if (t % 4 == 1)
            printf("step %d: %a and %a\n", t, v[to][n / 2][1], v[from][n / 2][1]);
        { int old = to; to = from; from = old; }
    }
    printf("%d %d\n", from, to);
    show(u[0], n);
    show(u[1], n);
    show(v[1], n);
    show(v[0], n);
    return 0;
}
