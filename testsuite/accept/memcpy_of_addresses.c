// Arrays are copied and cleared by their addresses, which lead to where they begin.
// args: 7 ; 1 ; 12
// form: bodies: memcpy(&now, &next, sizeof now);
#include <string.h>
#include "dump.h"

#define N 23
#define M 14

static struct { double now[N][M], sum[M]; } kept;

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    double now[N][M], next[N][M];
    fill_double(&now[0][0], N * M, 1);
    fill_double(&next[0][0], N * M, 2);
    fill_double(kept.sum, M, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        memcpy(&now, &next, sizeof now);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++)
                next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
        memcpy(&(kept.now), &next, sizeof(double) * N * M);
        memset(&kept.sum, 0, sizeof kept.sum);
    }
    show_double("now", &now[0][0], N * M);
    show_double("next", &next[0][0], N * M);
    show_double("kept", &kept.now[0][0], N * M);
    show_double("sum", kept.sum, M);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        memcpy(&now, &next, sizeof now);
        printf("%.17g\n", now[3][4]);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++)
                next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
        if (t % 3 == 0) {
            memcpy(&kept.now, &next, sizeof next);
            printf("%.17g\n", kept.now[2][2]);
        }
    }
    show_double("now", &now[0][0], N * M);
    show_double("next", &next[0][0], N * M);
    return 0;
}
