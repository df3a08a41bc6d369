// The host reads a point of each of two arrays at steps that are no multiple of what a tile takes.
#include <stdio.h>

#define N 40

static double now[N][N], next[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            now[i][j] = next[i][j] = (i * 7 + j * 3) % 11;
#pragma stencil
    for (int t = 0; t < 21; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                next[i][j] = 0.25 * (now[i][j - 1] + now[i][j + 1] + now[i - 1][j] + now[i + 1][j]);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                now[i][j] = next[i][j];
        if (t % 5 == 2)
            printf("%.17g %.17g\n", now[N / 2][t], next[t][1]);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%.17g\n", now[i][j] + next[i][j]);
    return 0;
}
