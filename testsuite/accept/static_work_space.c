// Static arrays of a function that the nest alone calls are work space of the step, and its static counters count loops.
// args: 6 ; 13 ; 1
// form: calls: static double next[ROWS][COLUMNS];
// form: calls: static int shift[] = { 1, 0, -1 };
#include "dump.h"

#define ROWS 40
#define COLUMNS 23

static void relax(double u[ROWS][COLUMNS], double by)
{
    static double next[ROWS][COLUMNS];
    static double weights[3];
    static int shift[] = { 1, 0, -1 };
    static int i, j;
    for (i = 1; i < ROWS - 1; i++)
        for (j = 1; j < COLUMNS - 1; j++) {
            weights[0] = by * u[i][j];
            weights[1] = 1 - by;
            weights[2] = 0.5 * weights[1];
            next[i][j] = u[i][j] + by * (u[i - 1][j] - 2 * u[i][j] + u[i + 1][j]);
            for (int k = 0; k < 3; k++)
                next[i][j] += 0.01 * weights[k] * u[i][j + shift[k]];
        }
    for (i = 1; i < ROWS - 1; i++)
        for (j = 1; j < COLUMNS - 1; j++)
            u[i][j] = next[i][j];
}

static void step(double u[ROWS][COLUMNS], int t)
{
    relax(u, t % 2 ? 0.2 : 0.1);
    u[0][3] = t;
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 6);
    static double u[ROWS][COLUMNS];
    fill_double(u[0], sizeof u / sizeof **u, 1);
#pragma stencil
    for (int t = 0; t < steps; t++)
        step(u, t);
    show_double("u", u[0], sizeof u / sizeof **u);
    return 0;
}
