// Sweeps over planes that the host chooses: where two are one, the original loops run.
#include "dump.h"

#define N 26

static double a[2][N][N], b[3][N];

int main(int argc, char **argv)
{
    int from = 0, to = argc, n = argc + 1;
    (void)argv;
    fill_double(&a[0][0][0], 2 * N * N, 1);
    fill_double(&b[0][0], 3 * N, 2);
    for (int t = 0; t < 5; t++) {
#pragma stencil
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                a[(t + 1) % 2][i][j] = 0.3 * a[t % 2][i - 1][j] + 0.6 * a[t % 2][i + 1][j + 1];
    }
    for (int t = 0; t < 4; t++) {
#pragma stencil
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                a[to][i][j] = 0.3 * a[from][i - 1][j] + 0.6 * a[1 - to][i + 1][j + 1];
        from = to;
        to = 1 - to;
    }
#pragma stencil
    for (int t = 0; t < 6; t++) {
        for (int i = 1; i < N - 1; i++)
            b[n][i] = 0.5 * b[n - 1][i - 1] + 0.25 * b[n - 2][i + 1];
        for (int i = 1; i < N - 1; i++)
            b[n - 2][i] = b[n][i];
    }
    show_double("a", &a[0][0][0], 2 * N * N);
    show_double("b", &b[0][0], 3 * N);
    return 0;
}
