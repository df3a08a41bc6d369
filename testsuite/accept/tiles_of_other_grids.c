// A loop counts through square tiles by one number, and tiles are no whole rows of a grid that is longer than wide, or are cut off.
// args: 32 48 4 ; 48 32 3 ; 30 30 2 ; 40 32 2
// fallback: expected
#include "dump.h"

#define SIDE 16

int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 32, columns = argc > 2 ? atoi(argv[2]) : 48;
    int steps = argc > 3 ? atoi(argv[3]) : 4;
    double *a = new_double(rows * columns, 1);
    int count = rows * columns / (SIDE * SIDE);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int tile = 0; tile < rows * columns / (SIDE * SIDE); tile++) {
            int first_row = SIDE * (tile / (rows / SIDE)), first_column = SIDE * (tile % (columns / SIDE));
            if (first_row + SIDE > rows)
                continue;
            for (int r = first_row; r < first_row + SIDE; r++)
                for (int c = first_column; c < first_column + SIDE; c++)
                    a[r * columns + c] = 0.5 * a[r * columns + c] + 0.25;
        }
    }
    show_double("a", a, rows * columns);
    printf("%d\n", count);
    return 0;
}
