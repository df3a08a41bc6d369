// Neighbours around a torus of constant size by C's remainders, which are negative before the first place, and what corrects them:
// an `if` that adds the size or sets the last place, a choice, and a remainder under a condition.
// form: subscripts: int row = (i + k) % N; if (row < 0) row += N;
// form: subscripts: int west = (j - 1) % M; west = west < 0 ? west + M : west;
// args: 7 ; 0 ; 3
#include "dump.h"
#include <math.h>
#define N 23
#define M 31

static void around(int steps, double u[N][M], double v[N][M])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) {
                double sum = 0;
                for (int k = -1; k <= 1; k++)
                    for (int l = -1; l <= 1; l++) {
                        int row = (i + k) % N; if (row < 0) row += N;
                        int column = (j + l) % M;
                        if (column == -1)
                            column = M - 1;
                        if (row != i || column != j)
                            sum += (k + 2) * u[row][column];
                    }
                v[i][j] = 0.04 * sum + 0.2 * u[i][j];
            }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                u[i][j] = v[i][j];
    }
}

static void chosen(int steps, double *u, double *v)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) {
                int west = (j - 1) % M; west = west < 0 ? west + M : west;
                int north = i - 2;
                if (north < 0)
                    north = N + north % N;
                else
                    north %= N;
                v[i * M + j] = u[i * M + west] - 0.5 * u[north * M + j];
            }
        double *turned = u;
        u = v;
        v = turned;
    }
}

int main(int argc, char **argv)
{
    static double u[N][M], v[N][M];
    int steps = argument(argc, argv, 1, 7);
    fill_double(&u[0][0], N * M, 1);
    fill_double(&v[0][0], N * M, 2);
    around(steps, u, v);
    show_double("u", &u[0][0], N * M);
    chosen(steps, &u[0][0], &v[0][0]);
    show_double("u", &u[0][0], N * M);
    show_double("v", &v[0][0], N * M);
    return 0;
}
