// Copy back by memcpy of a true array, its size by sizeof.
// args: 5 ; 4 ; 1
#include "dump.h"

#define N 13
#define M 18

static float a[N][M], b[N][M];

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    fill_float(&a[0][0], N * M, 1);
    fill_float(&b[0][0], N * M, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++)
                b[i][j] = 0.25f * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        memcpy(a, b, sizeof a);
    }
    show_float("a", &a[0][0], N * M);
    show_float("b", &b[0][0], N * M);
    return 0;
}
