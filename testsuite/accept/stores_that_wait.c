// Stores of one point that need what each other's elements held before: under one condition, by scalars, behind row tables.
// form: bodies: cells[i + j * nx].f[2] -= w; cells[i + j * nx].f[3] -= w;
// form: bodies: double x = u[i][j], y = v[i][j]; u[i][j] = 0.75 * x - 0.5 * y; v[i][j] = 0.5 * x + 0.75 * y;
// args: 17 23 0 ; 9 14 1 ; 12 21 5 ; 3 3 4
#include "dump.h"

typedef struct {
    double f[4];
} cell;

static void inflow(int ny, int nx, cell *cells, const int *walls, double w)
{
    int j = ny - 2;
    for (int i = 0; i < nx; i++) {
        if (!walls[i + j * nx] && cells[i + j * nx].f[2] - w > -0.3 && cells[i + j * nx].f[3] > w) {
            cells[i + j * nx].f[1] += w;
            cells[i + j * nx].f[2] -= w;
            cells[i + j * nx].f[3] -= w;
        }
    }
}

static void stream(int ny, int nx, const cell *cells, cell *next)
{
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            int north = (j + 1) % ny, east = (i + 1) % nx;
            next[i + j * nx].f[0] = cells[i + j * nx].f[0];
            next[i + j * nx].f[1] = cells[east + j * nx].f[1];
            next[i + j * nx].f[2] = cells[i + north * nx].f[2];
            next[i + j * nx].f[3] = cells[east + north * nx].f[3];
        }
}

static void collide(int ny, int nx, cell *cells, const cell *next, const int *walls)
{
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            if (walls[i + j * nx]) {
                cells[i + j * nx].f[1] = next[i + j * nx].f[3];
                cells[i + j * nx].f[3] = next[i + j * nx].f[1];
            } else {
                double all = 0;
                for (int k = 0; k < 4; k++)
                    all += next[i + j * nx].f[k];
                for (int k = 0; k < 4; k++)
                    cells[i + j * nx].f[k] = next[i + j * nx].f[k] + 0.6 * (0.25 * all - next[i + j * nx].f[k]);
            }
        }
}

static void lattice(int ny, int nx, int steps, cell *cells, cell *next, const int *walls)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        inflow(ny, nx, cells, walls, 0.0125);
        stream(ny, nx, cells, next);
        collide(ny, nx, cells, next, walls);
    }
}

static void reported(int ny, int nx, int steps, cell *cells, cell *next, const int *walls)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        inflow(ny, nx, cells, walls, 0.25);
        stream(ny, nx, cells, next);
        collide(ny, nx, cells, next, walls);
        if (t % 3 == 2)
            printf("%d: %a\n", t, cells[2].f[1]);
    }
}

/* Between both sweeps the host does something. */
static void turned(int n, int steps, double **u, double **v)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                double x = u[i][j], y = v[i][j];
                u[i][j] = 0.75 * x - 0.5 * y;
                v[i][j] = 0.5 * x + 0.75 * y;
            }
        printf("%d\n", t);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] += 0.125 * (v[i][j + 1] - v[i - 1][j]);
    }
}

static double **table(int n, double *all)
{
    double **rows = malloc((size_t)n * sizeof *rows);
    for (int i = 0; i < n; i++)
        rows[i] = all + (size_t)(n - 1 - i) * (size_t)n;
    return rows;
}

int main(int argc, char **argv)
{
    int ny = argument(argc, argv, 1, 8), nx = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 3);
    size_t count = (size_t)ny * (size_t)nx, square = (size_t)nx * (size_t)nx;
    cell *cells = (cell *)new_double(4 * count, 1), *next = (cell *)new_double(4 * count, 2);
    double *u = new_double(square, 4), *v = new_double(square, 5);
    double **u_rows = table(nx, u), **v_rows = table(nx, v);
    int *walls = new_int(count, 3);
    for (size_t k = 0; k < count; k++)
        walls[k] = walls[k] > 300;
    lattice(ny, nx, steps, cells, next, walls);
    show_double("cells", cells->f, 4 * count);
    show_double("next", next->f, 4 * count);
    reported(ny, nx, steps + 2, cells, next, walls);
    show_double("cells", cells->f, 4 * count);
    show_double("next", next->f, 4 * count);
    turned(nx, steps, u_rows, v_rows);
    show_double("u", u, square);
    show_double("v", v, square);
    free(cells), free(next), free(u), free(v), free(u_rows), free(v_rows), free(walls);
    return 0;
}
