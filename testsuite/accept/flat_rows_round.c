// Flat grids with rows of a constant length that go round, by remainders within a row as well as of its number.
// args: 9 5 ; 1 1 ; 2 0
// form: subscripts: int p = at((i + 1) % COLUMNS, j), m = at((i + COLUMNS - 1) % COLUMNS, j);
// form: subscripts: b[j * COLUMNS + i] = u[(j + 1) % ROWS * COLUMNS + (i + 2) % COLUMNS];
// form: subscripts: w[(k * ROWS + j) * COLUMNS + (i - 1 + COLUMNS) % COLUMNS]
#include "dump.h"

#define ROWS 7
#define COLUMNS 12

static int at(int i, int j)
{
    return i + j * COLUMNS;
}

static void plane(int steps, double *u, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < COLUMNS; i++) {
                int p = at((i + 1) % COLUMNS, j), m = at((i + COLUMNS - 1) % COLUMNS, j);
                b[at(i, j)] = u[at(i, j)] + 0.2 * (u[p] - 2 * u[at(i, j)] + u[m]);
            }
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < COLUMNS; i++) u[j * COLUMNS + i] = b[j * COLUMNS + i];
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < COLUMNS; i++)
                b[j * COLUMNS + i] = u[(j + 1) % ROWS * COLUMNS + (i + 2) % COLUMNS];
    }
}

static void box(int steps, int layers, double *v, double *w)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int k = 0; k < layers; k++)
            for (int j = 0; j < ROWS; j++)
                for (int i = 0; i < COLUMNS; i++)
                    v[(k * ROWS + j) * COLUMNS + i] =
                        0.5 * w[(k * ROWS + j) * COLUMNS + (i - 1 + COLUMNS) % COLUMNS] + 0.1 * t;
        for (int k = 0; k < layers; k++)
            for (int j = 0; j < ROWS; j++)
                for (int i = 0; i < COLUMNS; i++)
                    w[(k * ROWS + j) * COLUMNS + i] = v[(k * ROWS + (j + 1) % ROWS) * COLUMNS + i];
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 9), layers = argument(argc, argv, 2, 5);
    double *u = new_double(ROWS * COLUMNS, 1), *b = new_double(ROWS * COLUMNS, 2);
    double *v = new_double((size_t)layers * ROWS * COLUMNS, 3), *w = new_double((size_t)layers * ROWS * COLUMNS, 4);
    plane(steps, u, b);
    box(steps, layers, v, w);
    show_double("u", u, ROWS * COLUMNS);
    show_double("b", b, ROWS * COLUMNS);
    show_double("v", v, (size_t)layers * ROWS * COLUMNS);
    show_double("w", w, (size_t)layers * ROWS * COLUMNS);
    return 0;
}
