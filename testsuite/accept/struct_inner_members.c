// Cells with structures inside: grid[i][j].v.x in rows behind pointers, and cell->v.y of flat memory.
// form: structures: grid[i][j].v.y += 0.25 * (grid[i][j].f[2] - grid[i][j].rho);
// args: 9 7 4 ; 3 5 2 ; 12 4 1
#include "dump.h"

struct vector {
    double x, y;
};

struct cell {
    double rho;
    struct vector v;
    double f[3];
};

static void flow(int n, int m, int steps, struct cell **grid, struct cell *next)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                struct cell *cell = next + i * m + j;
                cell->v.x = 0.5 * (grid[i - 1][j].v.x + grid[i + 1][j].v.y);
                cell->v.y = grid[i][j - 1].f[0] - 0.1 * grid[i][j + 1].v.y;
                cell->rho = grid[i][j].rho + cell->v.x * cell->v.y;
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                grid[i][j].rho = next[i * m + j].rho;
                grid[i][j].v.x = next[i * m + j].v.x;
                grid[i][j].v.y = next[i * m + j].v.y;
                grid[i][j].v.y += 0.25 * (grid[i][j].f[2] - grid[i][j].rho);
            }
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), m = argument(argc, argv, 2, 7), steps = argument(argc, argv, 3, 4);
    size_t numbers = (size_t)n * m * (sizeof(struct cell) / sizeof(double));
    double *now = new_double(numbers, 1), *next = new_double(numbers, 2);
    struct cell **grid = malloc(n * sizeof *grid);
    for (int i = 0; i < n; i++)
        grid[i] = (struct cell *)now + (size_t)i * m;
    flow(n, m, steps, grid, (struct cell *)next);
    show_double("now", now, numbers);
    show_double("next", next, numbers);
    return 0;
}
