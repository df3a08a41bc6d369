// Global arrays of constant size, one of them static.
// args: 5 ; 2 ; 0
#include "dump.h"

#define N 23
#define M 14

double a[N][M];
static double b[N][M];

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    int t, i, j;
    fill_double(&a[0][0], N * M, 1);
    fill_double(&b[0][0], N * M, 2);
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < M - 1; j++)
                b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < M - 1; j++)
                a[i][j] = b[i][j];
    }
    show_double("a", &a[0][0], N * M);
    show_double("b", &b[0][0], N * M);
    return 0;
}
