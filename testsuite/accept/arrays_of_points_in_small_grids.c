// The loops over a small grid of constant sizes are loops, though each point has a small array, declared outside of them.
// args: 5 ; 12
// form: bodies: double q[3], next[SIZE][SIZE];
#include "dump.h"

#define SIZE 48

static double u[SIZE][SIZE];

static void relax(double by)
{
    const int shift[3] = { -1, 0, 1 };
    double q[3], next[SIZE][SIZE];
    for (int i = 1; i < SIZE - 1; i++)
        for (int j = 1; j < SIZE - 1; j++) {
            q[0] = u[i - 1][j];
            q[1] = by * u[i][j];
            q[2] = u[i + 1][j];
            next[i][j] = u[i][j];
            for (int k = 0; k < 3; k++)
                next[i][j] += 0.1 * q[k] * u[i][j + shift[k]];
            q[1] = next[i][j] > 1 ? 1 : next[i][j];
            next[i][j] = q[1];
        }
    for (int i = 1; i < SIZE - 1; i++)
        for (int j = 1; j < SIZE - 1; j++)
            u[i][j] = next[i][j];
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    fill_double(u[0], SIZE * SIZE, 1);
#pragma stencil
    for (int t = 0; t < steps; t++)
        relax(0.25);
    show_double("u", u[0], SIZE * SIZE);
    return 0;
}
