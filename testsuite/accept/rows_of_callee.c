// A function of the step sees the memory that it is given as rows of a length which it is told: a pointer to `void` becomes one to rows.
// args: 12 17 6 ; 9 30 5
// form: calls: unsigned (*cells)[w] = memory;
#include "dump.h"

#define for_x for (int x = 0; x < w; x++)
#define for_y for (int y = 0; y < h; y++)

static void evolve(void *memory, int w, int h)
{
    unsigned (*cells)[w] = memory;
    unsigned next[h][w];
    for_y for_x {
        int n = 0;
        for (int y1 = y - 1; y1 <= y + 1; y1++)
            for (int x1 = x - 1; x1 <= x + 1; x1++)
                if (cells[(y1 + h) % h][(x1 + w) % w])
                    n++;
        if (cells[y][x])
            n--;
        next[y][x] = n == 3 || (n == 2 && cells[y][x]);
    }
    for_y for_x cells[y][x] = next[y][x];
}

int main(int argc, char **argv)
{
    int w = argument(argc, argv, 1, 12), h = argument(argc, argv, 2, 17), steps = argument(argc, argv, 3, 6);
    unsigned cells[h][w];
    for_y for_x cells[y][x] = noise(y * w + x) > 0.6;
#pragma stencil
    for (int t = 0; t < steps; t++)
        evolve(cells, w, h);
    show_int("cells", (int *)cells, (size_t)h * w);
    return 0;
}
