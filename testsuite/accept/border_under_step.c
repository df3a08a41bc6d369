// Borders that only some steps read, as a condition on step and place tells: they keep their values meanwhile.
// args: 6 ; 1 ; 13
#include "dump.h"

enum { ROWS = 23, COLUMNS = 26 };

static double a[ROWS][COLUMNS], b[ROWS][COLUMNS], c[ROWS], d[ROWS], e[ROWS];
static double u[7][8][9], v[7][8][9], w[2][ROWS], x[ROWS];

/* The border is read in fewer steps from row to row. */
static void planes(int steps)
{
    int i, j, t;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < ROWS - 1; i++)
            for (j = 1; j < COLUMNS - 1; j++)
                a[i][j] += 1;
        for (i = 1; i < ROWS - 1; i++)
            for (j = 1; j < COLUMNS - 1; j++)
                if (i < 9 - t)
                    b[i][j] = a[i][j - 1];
    }
}

/* Only the first step reads the border on the left, and a front runs away from it. */
static void line(int steps)
{
    int i, t;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < ROWS - 1; i++)
            c[i] -= 0.25;
        for (i = 1; i < ROWS - 1; i++)
            if (t < 1 || i > 4)
                d[i] = 0.5 * c[i - 1];
        for (i = 1; i < ROWS - 1; i++)
            if (i > t && i < 9 - t)
                e[i] += c[i - 1];
    }
}

/* Both buffers have borders of their own. */
static void buffers(int steps)
{
    int i, t;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < ROWS - 1; i++)
            w[(t + 1) % 2][i] = 0.25 * w[t % 2][i - 1] + 0.5 * w[t % 2][i + 1];
        for (i = 1; i < ROWS - 1; i++)
            if (i < 6 - t)
                x[i] += w[(t + 1) % 2][i - 1] - w[t % 2][i - 1];
    }
}

static void volume(int steps)
{
    int i, j, k, t;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < 6; i++)
            for (j = 1; j < 7; j++)
                for (k = 1; k < 8; k++)
                    u[i][j][k] *= 0.5;
        for (i = 1; i < 6; i++)
            for (j = 1; j < 7; j++)
                for (k = 1; k < 8; k++)
                    if (j == 1 + t || k > 6 + t)
                        v[i][j][k] += u[i - 1][j][k] + u[i][j - 1][k] + u[i][j][k + 1];
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 6);
    fill_double(a[0], ROWS * COLUMNS, 1);
    fill_double(b[0], ROWS * COLUMNS, 2);
    fill_double(c, ROWS, 3);
    fill_double(d, ROWS, 4);
    fill_double(e, ROWS, 9);
    fill_double(u[0][0], 7 * 8 * 9, 5);
    fill_double(v[0][0], 7 * 8 * 9, 6);
    fill_double(w[0], 2 * ROWS, 7);
    fill_double(x, ROWS, 8);
    planes(steps);
    line(steps);
    buffers(steps);
    volume(steps);
    show_double("a", a[0], ROWS * COLUMNS);
    show_double("b", b[0], ROWS * COLUMNS);
    show_double("c", c, ROWS);
    show_double("d", d, ROWS);
    show_double("e", e, ROWS);
    show_double("u", u[0][0], 7 * 8 * 9);
    show_double("v", v[0][0], 7 * 8 * 9);
    show_double("w", w[0], 2 * ROWS);
    show_double("x", x, ROWS);
    return 0;
}
