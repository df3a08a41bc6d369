// The buffer is chosen by t & 1, in a loop that starts at one.
// form: time levels: a[t & 1][i] = 0.5f * (a[(t - 1) & 1][i - 1]
// args: 5 ; 6 ; 3
#include "dump.h"

#define N 29

static float a[2][N];

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    fill_float(&a[0][0], 2 * N, 1);
#pragma stencil
    for (int t = 1; t <= steps; t++)
        for (int i = 1; i < N - 1; i++)
            a[t & 1][i] = 0.5f * (a[(t - 1) & 1][i - 1] + a[(t - 1) & 1][i + 1]);
    show_float("a", &a[0][0], 2 * N);
    return 0;
}
