// Planes of an array are chosen by a number that steps turn, and elements of the border of one plane, which is chosen by a constant, are set now and then.
// args: 17 21 36 ; 9 9 5 ; 17 20 3
// form: loops that the host keeps: a[2][ROWS / 2][COLUMNS - 1] = 3;
#include <math.h>
#include "dump.h"

#define ROWS 17
#define COLUMNS 21

static double a[3][ROWS][COLUMNS];

static void advance(int n, int m, int steps)
{
    int turn = 0;
    double most = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n - 2; i++)
            for (int j = 1; j < m - 1; j++)
                a[(turn + 1) % 3][i][j] = -0.1 * a[turn][i - 1][j] + 0.5 * a[turn][i][j];
        if (t % 7 == 5)
            a[2][ROWS / 2][COLUMNS - 1] = 3;
        most = -1;
        for (int i = 2; i < n - 2; i++)
            for (int j = 1; j < m - 1; j++)
                most = fmax(most, fabs(a[(turn + 1) % 3][i][j]));
        turn = (turn + 2) % 3;
        if (t % 8 == 4)
            printf("%d %a\n", t, most);
    }
    printf("%d %a\n", turn, most);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 21), steps = argument(argc, argv, 3, 5);
    fill_double(&a[0][0][0], 3 * ROWS * COLUMNS, 1);
    advance(n, m, steps);
    show_double("a", &a[0][0][0], 3 * ROWS * COLUMNS);
    return 0;
}
