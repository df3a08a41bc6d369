// Members of structures change in each step, in the step itself or by the host, and a number is made of one that the step sets.
// args: 20 30 37 ; 13 17 3 ; 9 9 0
// form: loops that the host keeps: w->time += w->dt;
// form: loops that the host keeps: int next = !now;
#include "dump.h"

struct wave { int n, m; double c, dt, time, *prev, *cur, *next; };

static void step(struct wave *w)
{
    int n = w->n, m = w->m;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            int k = i * m + j;
            w->next[k] = 1.5 * w->cur[k] - 0.5 * w->prev[k] + w->c * (w->cur[k - 1] + w->cur[k + m] - 2 * w->cur[k]) + 1e-3 * w->dt;
        }
    double *oldest = w->prev;
    w->prev = w->cur;
    w->cur = w->next;
    w->next = oldest;
    w->time += w->dt;
}

static void adapt(struct wave *w)
{
    w->dt = 0.125 / (1 + w->time);
}

static double total(const struct wave *w)
{
    double sum = 0;
    for (int k = 0; k < w->n * w->m; k++)
        sum += w->cur[k];
    return sum;
}

#define N 16
static double u[2][N][N];

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), m = argument(argc, argv, 2, 30), steps = argument(argc, argv, 3, 37);
    size_t size = (size_t)n * m;
    struct wave w = {n, m, 0.2, 0.125, 0, new_double(size, 1), new_double(size, 2), new_double(size, 3)};
#pragma stencil
    for (int t = 0; t < steps; t++) {
        step(&w);
        adapt(&w);
        if (t % 12 == 0)
            printf("%a %.17g\n", w.time, total(&w));
    }
    printf("%a %a\n", w.time, w.dt);
    show_double("cur", w.cur, size);
    show_double("prev", w.prev, size);

    int now = 0;
    for (int i = 0; i < 2 * N * N; i++)
        u[i / (N * N)][i / N % N][i % N] = i * 7 % 23;
#pragma stencil
    for (int t = 1; t <= steps; t++) {
        int next = !now;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                u[next][i][j] = 0.25 * (u[now][i - 1][j] + u[now][i + 1][j] + u[now][i][j - 1] + u[now][i][j + 1]);
        now = next;
        if (t % 10 == 0)
            printf("%d %.17g\n", now, u[now][N / 2][3]);
    }
    printf("%d\n", now);
    show_double("u", u[0][0], 2 * N * N);
    return 0;
}
