// The host reads elements of arrays whose rows are found through tables of pointers, which it exchanges: these elements come, and no more.
// args: 24 40 ; 17 9 ; 40 33
// form: loops that the host keeps: printf("%d %.17g\n", t, u[n / 2][k]);
#include "dump.h"

static double **new_rows(int n, int seed)
{
    double **rows = malloc((size_t)n * sizeof *rows), *memory = new_double((size_t)n * n, seed);
    for (int i = 0; i < n; i++)
        rows[i] = memory + (size_t)(i * 7 % n) * n;
    return rows;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 24), steps = argument(argc, argv, 2, 40);
    double **u = new_rows(n, 1), **v = new_rows(n, 2), **w, last = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i][j] = 0.25 * (u[i][j - 1] + u[i][j + 1] + u[i - 1][j] + u[i + 1][j]);
        w = u;
        u = v;
        v = w;
        int k = t % n;
        printf("%d %.17g\n", t, u[n / 2][k]);
        if (t % 3 == 1)
            last += v[k][n / 3] - u[n - 1][n - 1];
        if (t % 5 == 4 && t > 9)
            printf("%.17g\n", last + u[2][2]);
    }
    printf("%.17g\n", last);
    for (int i = 0; i < n; i++) {
        show_double("u", u[i], (size_t)n);
        show_double("v", v[i], (size_t)n);
    }
    return 0;
}
