// Cells with two states on a torus; loops over neighbours begin and end beside the point, and count those that live.
// args: 21 7 ; 16 1
// form: bodies: for (int x1 = x - 1; x1 <= x + 1; x1++)
#include "dump.h"

static void evolve(void *cells, int w, int h)
{
    unsigned (*now)[w] = cells;
    unsigned next[h][w];
#pragma stencil
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int n = 0;
            for (int y1 = y - 1; y1 <= y + 1; y1++)
                for (int x1 = x - 1; x1 <= x + 1; x1++)
                    if (now[(y1 + h) % h][(x1 + w) % w])
                        n++;
            if (now[y][x])
                n--;
            next[y][x] = n == 3 || (n == 2 && now[y][x]);
        }
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            now[y][x] = next[y][x];
}

int main(int argc, char **argv)
{
    int w = argument(argc, argv, 1, 21), h = w + 4, steps = argument(argc, argv, 2, 7);
    unsigned cells[h][w];
    for (int i = 0; i < h * w; i++)
        cells[i / w][i % w] = i * 7 % 5 < 2;
    for (int t = 0; t < steps; t++)
        evolve(cells, w, h);
    for (int i = 0; i < h * w; i++)
        printf("%u%c", cells[i / w][i % w], i % w == w - 1 ? '\n' : ' ');
    return 0;
}
