// The buffer is chosen by t % 2 and (t + 1) % 2.
// form: time levels: a[(t + 1) % 2][i][j] = 0.25 * (a[t % 2][i][j - 1]
// args: 5 ; 6 ; 3 ; 1
#include "dump.h"

#define N 17
#define M 11

static double a[2][N][M];

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    fill_double(&a[0][0][0], 2 * N * M, 1);
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++)
                a[(t + 1) % 2][i][j] = 0.25 * (a[t % 2][i][j - 1] + a[t % 2][i][j + 1]
                                               + a[t % 2][i - 1][j] + a[t % 2][i + 1][j]);
    show_double("a", &a[0][0][0], 2 * N * M);
    return 0;
}
