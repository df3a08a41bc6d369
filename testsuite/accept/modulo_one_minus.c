// The buffer is chosen by t % 2 and 1 - t % 2, kept in local variables.
// args: 5 ; 6 ; 3
#include "dump.h"

#define N 29

static double a[2][N];

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    fill_double(&a[0][0], 2 * N, 1);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        int from = t % 2, to = 1 - t % 2;
        for (int i = 1; i < N - 1; i++)
            a[to][i] = 0.5 * (a[from][i - 1] + a[from][i + 1]);
    }
    show_double("a", &a[0][0], 2 * N);
    return 0;
}
