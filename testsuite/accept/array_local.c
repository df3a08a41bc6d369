// Local arrays of constant size.
// args: 5 ; 2
#include "dump.h"

int main(int argc, char **argv)
{
    enum { N = 13, M = 11 };
    int steps = argument(argc, argv, 1, 5);
    double a[N][M], b[N][M];
    fill_double(&a[0][0], N * M, 1);
    fill_double(&b[0][0], N * M, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++)
                b[i][j] = 0.25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++)
                a[i][j] = b[i][j];
    }
    show_double("a", &a[0][0], N * M);
    show_double("b", &b[0][0], N * M);
    return 0;
}
