// Arrays whose types are typedefs of typedefs.
// args: 5 ; 3
#include "dump.h"

#define N 12
typedef double real;
typedef real row[N + 3];
typedef row grid[N];

static void smooth(int steps, grid a, row *b)
{
    int t, i, j;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N + 2; j++)
                b[i][j] = (real)0.25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N + 2; j++)
                a[i][j] = b[i][j];
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    static grid a, b;
    fill_double(&a[0][0], N * (N + 3), 1);
    fill_double(&b[0][0], N * (N + 3), 2);
    smooth(steps, a, b);
    show_double("a", &a[0][0], N * (N + 3));
    show_double("b", &b[0][0], N * (N + 3));
    return 0;
}
