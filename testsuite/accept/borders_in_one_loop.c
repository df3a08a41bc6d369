// One loop stores all four borders: what a point stores at one border others read at another one before or after that, and corners are stored more than once.
// args: 7 ; 3 ; 1 ; 0
// form: calls: c[N * N - N + i] = c[N * N - 2 * N + i];
#include "dump.h"

#define N 19

static void borders(double *c)
{
    for (int i = 0; i < N - 1; i++) {
        c[i * N] = c[i * N + 1];
        c[i * N + N - 1] = c[i * N + N - 2];
        c[i] = c[N + i];
        c[N * N - N + i] = c[N * N - 2 * N + i];
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 7);
    double *u = new_double(N * N, 1), *v = new_double(N * N, 2), *p = new_double(N * N, 3), *q = new_double(N * N, 4);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                v[i * N + j] = 0.25 * (u[i * N + j - 1] + u[i * N + j + 1] + u[(i - 1) * N + j] + u[(i + 1) * N + j]);
                q[i * N + j] = p[i * N + j] + 0.1 * v[i * N + j];
            }
        borders(v);
        borders(q);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                u[i * N + j] = v[i * N + j];
                p[i * N + j] = q[i * N + j];
            }
    }
    show_double("u", u, N * N);
    show_double("v", v, N * N);
    show_double("p", p, N * N);
    show_double("q", q, N * N);
    free(u);
    free(v);
    free(p);
    free(q);
    return 0;
}
