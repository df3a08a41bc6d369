// Sweeps by `while` over constant sizes.
// form: loops: while (j < SIZE - 1)
// args: 7 ; 3 ; 0
#include "dump.h"

#define SIZE 60

static double u[SIZE][SIZE], w[SIZE][SIZE];

int main(int argc, char **argv)
{
    int i = 0, j = 0, steps = argument(argc, argv, 1, 7);
    fill_double(u[0], SIZE * SIZE, 1);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        i = 1;
        while (i < SIZE - 1) {
            j = 1;
            while (j < SIZE - 1) {
                w[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                j++;
            }
            i++;
        }
        for (i = 1; i < SIZE - 1; i++)
            for (j = 1; j < SIZE - 1; j++)
                u[i][j] = w[i][j];
    }
    show_double("u", u[0], SIZE * SIZE);
    printf("%d %d\n", i, j);
    return 0;
}
