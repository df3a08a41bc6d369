// Which of two borders is set last in their common corner, and whether a border is one, depends on sizes that the program tells.
// args: 3 ; 0 ; 20
// form: loops: u[80][j] = 1;
#include "dump.h"

static double u[81][81], old[81][81];

/* In each iteration the borders are set again. */
static void convect(int steps)
{
    int n = 81, m = 81;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                old[i][j] = u[i][j];
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++) {
                u[i][j] = 0.5 * (old[i - 1][j] + old[i][j - 1]);
                u[80][j] = 1;
                u[i][80] = 2;
            }
    }
}

/* The host prints between the steps. */
static void printed(int steps)
{
    int n = 40, m = 81;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                old[i][j] = u[i][j];
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++) {
                u[i][j] = 0.25 * (old[i - 1][j] + 3 * old[i][j - 1]);
                u[39][j] = t;
                u[i][80] = 2;
            }
        if (t % 4 == 1)
            printf("%.17g %.17g\n", u[39][80], u[20][20]);
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 3);
    for (int i = 0; i < 81 * 81; i++)
        u[i / 81][i % 81] = i % 13;
    convect(steps);
    show_double("u", u[0], 81 * 81);
    show_double("old", old[0], 81 * 81);
    printed(steps);
    show_double("u", u[0], 81 * 81);
    show_double("old", old[0], 81 * 81);
    return 0;
}
