// Bounds, sizes and steps are macros, two of them given to the compiler.
// flags: -DWIDTH=13 -D STEPS=5
#include "dump.h"

#define HEIGHT (2 * WIDTH - 5)
#define FIRST 1
#define LAST(n) ((n) - 1)

int main(void)
{
    static double a[HEIGHT][WIDTH], b[HEIGHT][WIDTH];
    fill_double(&a[0][0], HEIGHT * WIDTH, 1);
    fill_double(&b[0][0], HEIGHT * WIDTH, 2);
#pragma stencil
    for (int t = 0; t < STEPS; t++) {
        for (int i = FIRST; i < LAST(HEIGHT); i++)
            for (int j = FIRST; j < LAST(WIDTH); j++)
                b[i][j] = 0.25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (int i = FIRST; i < LAST(HEIGHT); i++)
            for (int j = FIRST; j < LAST(WIDTH); j++)
                a[i][j] = b[i][j];
    }
    show_double("a", &a[0][0], HEIGHT * WIDTH);
    show_double("b", &b[0][0], HEIGHT * WIDTH);
    return 0;
}
