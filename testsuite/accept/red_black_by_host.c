// The host chooses the colour of each sweep of a red-black order.
#include "dump.h"

#define N 22
#define M 26

static double a[N][M];

static void relax(int colour)
{
#pragma stencil
    for (int i = 1; i < N - 1; i++)
        for (int j = 2 + (i + colour) % 2; j < M - 1; j += 2)
            a[i][j] = 0.25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
}

int main(void)
{
    fill_double(&a[0][0], N * M, 1);
    for (int t = 0; t < 7; t++)
        relax(t % 2);
    show_double("a", &a[0][0], N * M);
    return 0;
}
