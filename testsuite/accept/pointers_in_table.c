// Buffers in a table of pointers, which a function exchanges: three time levels of a wave, and two that the host keeps apart.
// form: time levels: levels[0] = levels[1];
// args: 9 7 5 ; 4 12 3 ; 5 5 1
#include "dump.h"

static double *levels[3];
static int N, M;

#define BEFORE(i, j) levels[0][(i) * M + (j)]
#define NOW(i, j) levels[1][(i) * M + (j)]
#define NEXT(i, j) levels[2][(i) * M + (j)]

static void turn(void)
{
    double *first = levels[0];
    levels[0] = levels[1];
    levels[1] = levels[2];
    levels[2] = first;
}

static void step(void)
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++)
            NEXT(i, j) = 2 * NOW(i, j) - BEFORE(i, j)
                         + 0.1 * (NOW(i - 1, j) + NOW(i + 1, j) + NOW(i, j - 1) + NOW(i, j + 1) - 4 * NOW(i, j));
}

static void edges(void)
{
    for (int j = 0; j < M; j++) {
        NOW(0, j) = NOW(1, j);
        NOW(N - 1, j) = NOW(N - 2, j);
    }
}

static void waves(int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        edges();
        step();
        turn();
    }
}

static void smooth(int steps, double *a, double *b)
{
    double *u[2] = {a, b};
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            u[1][i] = 0.5 * (u[0][i - 1] + u[0][i + 1]);
        double *old = u[0];
        u[0] = u[1];
        u[1] = old;
        if (t % 2 == 0)
            printf("%d: %a\n", t, u[0][N / 2]);
    }
    show_double("u[0]", u[0], N);
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 3, 5);
    N = argument(argc, argv, 1, 9);
    M = argument(argc, argv, 2, 7);
    for (int i = 0; i < 3; i++)
        levels[i] = new_double((size_t)N * M, i + 1);
    double *a = new_double(N, 4), *b = new_double(N, 5);
    waves(steps);
    for (int i = 0; i < 3; i++)
        show_double("level", levels[i], (size_t)N * M);
    smooth(steps, a, b);
    return 0;
}
