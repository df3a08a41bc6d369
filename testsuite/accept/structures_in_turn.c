// Pointers to structures are exchanged, and the arrays behind their members with them; their sizes are equal.
// args: 21 17 9 ; 40 9 1 ; 12 30 6 ; 9 9 0
// form: rows behind pointers: to->rows[i][j] = (from->rows[i - 1][j] + from->rows[i][j + 1]) / 2
// form: structures: struct grid *old = a; a = b; b = c; c = old;
// form: structures: for (int i = 1; i < sim->now->size.ny - 1; i++)
// form: structures: turn(&sim->now, &sim->next);
// form: structures: to->line[j] = from->line[j + 1] - from->line[j - 1]
#include "dump.h"

struct grid {
    struct { int nx, ny; } size;
    double *data, **rows, line[40];
    int steps;
};
struct simulation { struct grid *now, *next; int steps; };

static struct grid *new_grid(int nx, int ny, int seed)
{
    struct grid *grid = malloc(sizeof *grid);
    grid->size.nx = nx;
    grid->size.ny = ny;
    grid->data = new_double((size_t)nx * (size_t)ny, seed);
    grid->rows = malloc((size_t)ny * sizeof *grid->rows);
    for (int i = 0; i < ny; i++)
        grid->rows[i] = new_double((size_t)nx, seed + i);
    fill_double(grid->line, 40, seed + 7);
    grid->steps = seed;
    return grid;
}

static void show(const struct grid *grid)
{
    show_double("data", grid->data, (size_t)grid->size.nx * (size_t)grid->size.ny);
    for (int i = 0; i < grid->size.ny; i++)
        show_bytes("row", grid->rows[i], (size_t)grid->size.nx * sizeof **grid->rows);
    show_double("line", grid->line, 40);
    printf("%d\n", grid->steps);
}

static void relax(struct grid *to, const struct grid *from)
{
    const int nx = from->size.nx;
    for (int i = 1; i < to->size.ny - 1; i++)
        for (int j = 1; j < nx - 1; j++)
            to->data[i * to->size.nx + j] = 0.25 * (from->data[i * nx + j - 1] + from->data[i * nx + j + 1] +
                                                    from->data[(i - 1) * nx + j] + from->data[(i + 1) * nx + j]);
}

static void turn(struct grid **one, struct grid **other)
{
    struct grid *old = *one;
    *one = *other;
    *other = old;
}

static void three(struct grid **grids, int steps)
{
    struct grid *a = grids[0], *b = grids[1], *c = grids[2];
#pragma stencil
    for (int t = 0; t < steps; t++) {
        relax(b, a);
        relax(c, b);
        struct grid *old = a; a = b; b = c; c = old;
    }
    show(a);
    printf("%d %d\n", a == grids[1], b == grids[2]);
}

static void members(struct simulation *sim)
{
#pragma stencil
    for (int t = 0; t < sim->steps; t++) {
        for (int i = 1; i < sim->now->size.ny - 1; i++)
            for (int j = 0; j < sim->now->size.nx; j++)
                sim->next->data[i * sim->now->size.nx + j] = sim->now->data[(i - 1) * sim->now->size.nx + j] * 0.5;
        turn(&sim->now, &sim->next);
    }
    show(sim->now);
}

static void rows(struct grid *from, struct grid *to, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < from->size.ny - 1; i++)
            for (int j = 1; j < from->size.nx - 1; j++)
                to->rows[i][j] = (from->rows[i - 1][j] + from->rows[i][j + 1]) / 2;
        for (int j = 1; j < 39; j++)
            to->line[j] = from->line[j + 1] - from->line[j - 1];
        turn(&from, &to);
    }
    show(from);
    show(to);
}

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 21), ny = argument(argc, argv, 2, 17), steps = argument(argc, argv, 3, 9);
    struct grid *grids[3] = { new_grid(nx, ny, 1), new_grid(nx, ny, 2), new_grid(nx, ny, 3) };
    three(grids, steps);
    struct simulation sim = { grids[0], grids[1], steps };
    members(&sim);
    rows(grids[1], grids[2], steps);
    for (int k = 0; k < 3; k++)
        show(grids[k]);
    return 0;
}
