// A wave with a source at a point, and bands of unknown widths along the edges that damp both of its grids. Rows are behind pointers,
// and any part of a row may be there alone.
// form: rows behind pointers: u[x][y] *= fade[y];
// args: 21 14 6 4 ; 9 12 3 1 ; 8 8 5 0 ; 30 17 0 2
#include "rows.h"

static int nx, ny, wide, all_x, all_y;
static double *fade;

static void wave(double **v, double **u)
{
    for (int x = 2; x < all_x - 2; x++)
        for (int y = 2; y < all_y - 2; y++)
            v[x][y] = 2 * u[x][y] - v[x][y] + 0.1 * (u[x - 2][y] + u[x + 2][y] + u[x][y - 2] + u[x][y + 2] - 4 * u[x][y]);
}

static void damp(double **v, double **u)
{
    for (int x = 0; x < all_x; x++) {
        for (int y = 0; y < wide; y++) {
            v[x][y] *= fade[y];
            u[x][y] *= fade[y];
        }
        for (int y = ny + wide; y < all_y; y++) {
            v[x][y] *= fade[all_y - y - 1];
            u[x][y] *= fade[all_y - y - 1];
        }
    }
    for (int y = 0; y < all_y; y++) {
        for (int x = 0; x < wide; x++) {
            v[x][y] *= fade[x];
            u[x][y] *= fade[x];
        }
        for (int x = nx + wide; x < all_x; x++) {
            v[x][y] *= fade[all_x - x - 1];
            u[x][y] *= fade[all_x - x - 1];
        }
    }
}

static double **rows_of(double *block)
{
    double **rows = malloc((size_t)all_x * sizeof *rows);
    if (rows == NULL)
        exit(2);
    for (int x = 0; x < all_x; x++)
        rows[x] = block + (size_t)x * all_y;
    return rows;
}

int main(int argc, char **argv)
{
    nx = argument(argc, argv, 1, 21), ny = argument(argc, argv, 2, 14);
    int steps = argument(argc, argv, 3, 6);
    wide = argument(argc, argv, 4, 4);
    all_x = nx + 2 * wide, all_y = ny + 2 * wide;
    double **u = rows_of(new_double((size_t)all_x * all_y, 1)), **v = rows_of(new_double((size_t)all_x * all_y, 2)), **turn;
    double *pulse = new_double((size_t)steps, 3), *first = u[0];
    int source_x = all_x / 2, source_y = all_y / 2;
    fade = new_double((size_t)wide, 4);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        u[source_x][source_y] += pulse[t];
        wave(v, u);
        damp(v, u);
        turn = v, v = u, u = turn;
    }
    printf("%d\n", u[0] == first);
    show_double("u", u[0], (size_t)all_x * all_y);
    show_double("v", v[0], (size_t)all_x * all_y);
    return 0;
}
