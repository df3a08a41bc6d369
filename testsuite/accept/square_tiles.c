// A loop counts through square tiles by one number; where a tile lies, quotients of the sizes say.
// args: 32 32 5 ; 48 48 4 ; 16 16 3
// form: loops: for (tile = 0; tile < count; ++tile) {
// form: loops: int first_row = SIDE * (tile / tiles_down), first_column = SIDE * (tile % tiles_across);
#include "dump.h"

#define SIDE 16

static void step(const double *power, const double *from, double *to, int rows, int columns)
{
    int tile, r, c;
    int count = rows * columns / (SIDE * SIDE), tiles_across = columns / SIDE, tiles_down = rows / SIDE;

    for (tile = 0; tile < count; ++tile) {
        int first_row = SIDE * (tile / tiles_down), first_column = SIDE * (tile % tiles_across);
        int end_row = first_row + SIDE > rows ? rows : first_row + SIDE;
        int end_column = first_column + SIDE > columns ? columns : first_column + SIDE;

        if (first_row == 0 || first_column == 0 || end_row == rows || end_column == columns) {
            for (r = first_row; r < first_row + SIDE; ++r)
                for (c = first_column; c < first_column + SIDE; ++c) {
                    double change;
                    if (r == 0 || c == 0 || r == rows - 1 || c == columns - 1)
                        change = 0.0625 * power[r * columns + c];
                    else
                        change = from[(r + 1) * columns + c] + from[(r - 1) * columns + c] - 2.0 * from[r * columns + c];
                    to[r * columns + c] = from[r * columns + c] + 0.125 * change;
                }
            continue;
        }
        for (r = first_row; r < first_row + SIDE; ++r)
            for (c = first_column; c < first_column + SIDE; ++c)
                to[r * columns + c] = from[r * columns + c] + 0.125 * (from[(r + 1) * columns + c]
                    + from[(r - 1) * columns + c] - 2.0 * from[r * columns + c]);
    }
}

int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 32, columns = argc > 2 ? atoi(argv[2]) : 32;
    int steps = argc > 3 ? atoi(argv[3]) : 5;
    double *t = new_double((size_t)rows * columns, 1), *r = new_double((size_t)rows * columns, 2);
    double *power = new_double((size_t)rows * columns, 3), *s;
#pragma stencil
    for (int i = 0; i < steps; i++) {
        step(power, t, r, rows, columns);
        s = t;
        t = r;
        r = s;
    }
    show_double("t", t, (size_t)rows * columns);
    return 0;
}
