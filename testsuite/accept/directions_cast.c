// Directions in a table of floating-point numbers, which casts make integers: of places, and of what pointers move.
// form: subscripts: (cell - (int)e[k].x * m - (int)e[k].y)->f[k]
// args: 12 9 7 ; 4 4 2 ; 3 5 1
#include "dump.h"
typedef struct {
    double x, y;
} direction;
typedef struct {
    double f[5], g[5];
} node;
static const direction e[5] = {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
static const double back[5] = {0, 3, 4, 1, 2};
static void stream(node *cell, int m)
{
    for (int k = 0; k < 5; k++)
        cell->g[k] = (cell - (int)e[k].x * m - (int)e[k].y)->f[k];
}
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 7);
    node *cells = calloc(n * m, sizeof *cells);
    double *a = new_double(5 * n * m, 1);
    for (int i = 0; i < n * m; i++)
        for (int k = 0; k < 5; k++)
            cells[i].f[k] = a[5 * i + k];
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                stream(cells + i * m + j, m);
        for (int j = 1; j < m - 1; j++)
            for (int k = 0; k < 5; k++)
                if (e[k].x != -1.0)
                    cells[j].g[k] = cells[j].f[(int)back[k]];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int k = 0; k < 5; k++)
                    cells[i * m + j].f[k] = 0.5 * cells[i * m + j].g[k] + 0.25 * e[k].y;
    }
    for (int i = 0; i < n * m; i++)
        for (int k = 0; k < 5; k++)
            a[5 * i + k] = cells[i].f[k] + 3 * cells[i].g[k];
    show_double("a", a, 5 * n * m);
    return 0;
}
