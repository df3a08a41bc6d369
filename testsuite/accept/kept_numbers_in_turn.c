// The numbers of three buffers change places by a variable that outlives the loop, which the host keeps.
// args: 14 ; 1 ; 3
// form: loops that the host keeps: t = a; a = b; b = c; c = t;
#include "dump.h"

static double cube[3][16][16];

static void wave(int steps)
{
    int a = 2, b = 0, c = 1, t = 7;
#pragma stencil
    for (int k = 0; k < steps; k++) {
        for (int i = 1; i < 15; i++)
            for (int j = 1; j < 15; j++)
                cube[c][i][j] = 1.5 * cube[b][i][j] - cube[a][i][j] + 0.25 * (cube[b][i - 1][j] + cube[b][i][j + 1]);
        t = a; a = b; b = c; c = t;
        if (k == 4)
            printf("%a\n", cube[b][7][3]);
    }
    printf("%d %d %d %d\n", a, b, c, t);
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 14);
    fill_double(&cube[0][0][0], 3 * 16 * 16, 2);
    wave(steps);
    show_double("cube", &cube[0][0][0], 3 * 16 * 16);
    return 0;
}
