// A red-black order and stages of a step by inner loops that store the same elements in each iteration.
// form: loops: for (int j = 1 + (i + colour) % 2; j < M - 1; j += 2)
// form: loops: if ((i + j) % 2 == colour)
#include "dump.h"

#define N 22
#define M 26

static double a[N][M], b[N][M], u[N * M], k[N * M];

int main(void)
{
    static const double weight[3] = {1.0, 0.5, 0.25};
    fill_double(&a[0][0], N * M, 1);
    fill_double(&b[0][0], N * M, 2);
    fill_double(u, N * M, 3);
    fill_double(k, N * M, 4);
#pragma stencil
    for (int t = 0; t < 5; t++)
        for (int colour = 0; colour < 2; colour++)
            for (int i = 1; i < N - 1; i++)
                for (int j = 1 + (i + colour) % 2; j < M - 1; j += 2)
                    a[i][j] = 0.25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
#pragma stencil
    for (int t = 0; t < 5; t++)
        for (int colour = 0; colour < 2; colour++)
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < M - 1; j++)
                    if ((i + j) % 2 == colour)
                        b[i][j] = 0.25 * (b[i][j - 1] + b[i][j + 1] + b[i - 1][j] + b[i + 1][j]);
#pragma stencil
    for (int t = 0; t < 4; t++) {
        for (int stage = 0; stage < 3; stage++) {
            double h = 0.1 * weight[stage];
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < M - 1; j++)
                    k[i * M + j] = u[i * M + j] + h * (u[i * M + j + 1] - u[i * M + j - 1] + u[(i + 1) * M + j]);
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < M - 1; j++)
                    u[i * M + j] = k[i * M + j];
        }
    }
    show_double("a", &a[0][0], N * M);
    show_double("b", &b[0][0], N * M);
    show_double("u", u, N * M);
    return 0;
}
