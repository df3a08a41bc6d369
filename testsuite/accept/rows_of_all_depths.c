// Tiles of rows that advance fewer steps than they could: two arrays that are swapped, and a wave with two time levels.
// args: 1 ; 2 ; 3 ; 4 ; 5 ; 7 ; 8 ; 11 ; 14
#include "dump.h"

#define N 43
#define M 37

static double u[N][M], v[N][M], w[2][N][M];

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 3;
    double (*a)[M] = u, (*b)[M] = v;
    fill_double(&u[0][0], N * M, 1);
    fill_double(&v[0][0], N * M, 2);
    fill_double(&w[0][0][0], 2 * N * M, 3);
#pragma stencil strategy(rows) time_tile(6) tile(16, 12)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 2; j < M - 1; j++)
                b[i][j] = 0.3 * (a[i][j] + a[i - 1][j]) + 0.2 * (a[i][j - 2] + a[i + 1][j + 1]);
        double (*c)[M] = a;
        a = b;
        b = c;
    }
#pragma stencil strategy(rows) time_tile(8) tile(16, 12)
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++)
                w[t % 2][i][j] = 0.25 * (w[(t + 1) % 2][i - 1][j] + w[(t + 1) % 2][i + 1][j] + w[(t + 1) % 2][i][j - 1]
                                         + w[(t + 1) % 2][i][j + 1]) - 0.5 * w[t % 2][i][j] + 0.001 * t;
    show_double("u", &u[0][0], N * M);
    show_double("v", &v[0][0], N * M);
    show_double("w", &w[0][0][0], 2 * N * M);
    printf("%d\n", a == u);
    return 0;
}
