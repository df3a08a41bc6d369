// Structures with members of several types that are copied as a whole, point by point and by memcpy, with what nests cannot use.
// form: structures: next[i][j] = grid[i - 1][j];
// form: structures: memcpy(grid, next, sizeof grid);
// args: 6 ; 1
#include "dump.h"

struct cell {
    float v;
    char *name;
    double w[2];
    struct {
        int count;
        short s;
    } in;
    struct {
        double x;
        int k;
    } inner[2];
};

static struct cell grid[14][17], next[14][17];

static void begin(struct cell *cell, int i)
{
    memset(cell, i, sizeof *cell);
    cell->v = (float)(i % 13);
    cell->name = NULL;
    cell->w[0] = 0.5 * i;
    cell->w[1] = i % 7;
    cell->in.count = i;
    cell->in.s = (short)(i % 5);
    cell->inner[0].x = cell->inner[1].x = 0.25 * i;
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 6);
    for (int i = 0; i < 14; i++)
        for (int j = 0; j < 17; j++) {
            begin(&grid[i][j], 17 * i + j);
            begin(&next[i][j], 5 * i + j);
        }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 13; i++)
            for (int j = 1; j < 16; j++) {
                next[i][j] = grid[i - 1][j];
                next[i][j].v += (float)grid[i][j].w[1];
                next[i][j].in.count++;
            }
        for (int i = 1; i < 13; i++)
            for (int j = 1; j < 16; j++) {
                struct cell cell = next[i][j];
                grid[i][j].v = 0.5f * (cell.v + next[i][j + 1].v);
                grid[i][j].in.s = (short)(cell.in.s + cell.in.count);
            }
        if (t % 2 == 1)
            for (int i = 1; i < 13; i++)
                for (int j = 1; j < 16; j++)
                    grid[i][j] = next[i][j];
    }
    show_bytes("grid", grid, sizeof grid);
    show_bytes("next", next, sizeof next);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 13; i++)
            for (int j = 1; j < 16; j++)
                next[i][j].w[1] = grid[i - 1][j].w[0] + grid[i][j + 1].in.count;
        memcpy(grid, next, sizeof grid);
        memset(next, 0, sizeof next);
    }
    show_bytes("grid", grid, sizeof grid);
    show_bytes("next", next, sizeof next);
    return 0;
}
