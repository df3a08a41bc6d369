// What compilers are told to expect of a condition, and of a number.
// form: bodies: if (likely(!wall[i][j] && u[i][j] > 0.1))
// args: 7 ; 1
#include "dump.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect((x), 0)

static void run(int n, int m, int steps, double (*u)[m], double (*v)[m], int (*wall)[m])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                if (likely(!wall[i][j] && u[i][j] > 0.1))
                    v[i][j] = 0.2 * (u[i][j] + u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                else if (unlikely(wall[i][j] > 2 || u[i - 1][j] < 0.3))
                    v[i][j] = u[i][j] / 2;
                else
                    v[i][j] = u[i][j] + __builtin_expect(wall[i][j] + 1, 2) / 2 + __builtin_expect(u[i][j] * 1.5, 0L);
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = v[i][j];
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 7), n = 14, m = 17;
    double *u = new_double((size_t)n * m, 1), *v = new_double((size_t)n * m, 2);
    int *wall = new_int((size_t)n * m, 3);
    for (int i = 0; i < n * m; i++)
        wall[i] = wall[i] & 3 & -(i % 3 == 0);
    run(n, m, steps, (double (*)[m])u, (double (*)[m])v, (int (*)[m])wall);
    show_double("u", u, (size_t)n * m);
    show_double("v", v, (size_t)n * m);
    return 0;
}
