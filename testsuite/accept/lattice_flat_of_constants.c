// A lattice of constant sizes in one dimension of memory: the neighbours are found by remainders, which are multiplied.
// form: subscripts: f[(x * COLUMNS + y) * 5 + q]
// args: 7 ; 3 ; 0
#include "dump.h"

#define ROWS 14
#define COLUMNS 19

static const int step_x[5] = { 0, 1, 0, -1, 0 }, step_y[5] = { 0, 0, 1, 0, -1 };
static double f[ROWS * COLUMNS * 5], next[ROWS * COLUMNS * 5];

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 7);
    fill_double(f, ROWS * COLUMNS * 5, 1);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                for (int q = 0; q < 5; q++) {
                    int x = (i - step_x[q] + ROWS) % ROWS, y = (j - step_y[q] + COLUMNS) % COLUMNS;
                    next[(i * COLUMNS + j) * 5 + q] = f[(x * COLUMNS + y) * 5 + q];
                }
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) {
                double *at = &next[(i * COLUMNS + j) * 5], mean = 0;
                for (int q = 0; q < 5; q++)
                    mean += 0.2 * at[q];
                for (int q = 0; q < 5; q++)
                    f[(i * COLUMNS + j) * 5 + q] = 0.75 * at[q] + 0.25 * mean;
            }
    }
    show_double("f", f, ROWS * COLUMNS * 5);
    return 0;
}
