// A time loop that counts with a member of a structure, behind macros as its bound is.
// form: loops: for (Time = 0; Time < MaxTime; Time++)
// args: 5 17 9 ; 1 5 5 ; 0 7 7
#include "dump.h"

typedef struct {
    int time, steps, rows, columns;
    double *ez, *hx, *hy, factor;
} grid;

#define Time g->time
#define MaxTime (g->steps)
#define Ez(M, N) g->ez[(M) * g->columns + (N)]
#define Hx(M, N) g->hx[(M) * g->columns + (N)]
#define Hy(M, N) g->hy[(M) * g->columns + (N)]

static void magnetic(grid *g)
{
    for (int m = 0; m < g->rows; m++)
        for (int n = 0; n < g->columns - 1; n++)
            Hx(m, n) = 0.9 * Hx(m, n) - 0.4 * (Ez(m, n + 1) - Ez(m, n));
    for (int m = 0; m < g->rows - 1; m++)
        for (int n = 0; n < g->columns; n++)
            Hy(m, n) = 0.9 * Hy(m, n) + 0.4 * (Ez(m + 1, n) - Ez(m, n));
}

static void electric(grid *g)
{
    for (int m = 1; m < g->rows - 1; m++)
        for (int n = 1; n < g->columns - 1; n++)
            Ez(m, n) += g->factor * ((Hy(m, n) - Hy(m - 1, n)) - (Hx(m, n) - Hx(m, n - 1)));
}

int main(int argc, char **argv)
{
    grid whole = { .time = 77, .factor = 0.3 }, *g = &whole;
    g->steps = argument(argc, argv, 1, 5);
    g->rows = argument(argc, argv, 2, 12);
    g->columns = argument(argc, argv, 3, 9);
    int n = g->rows * g->columns;
    g->ez = new_double(n, 1);
    g->hx = new_double(n, 2);
    g->hy = new_double(n, 3);
#pragma stencil
    for (Time = 0; Time < MaxTime; Time++) {
        magnetic(g);
        electric(g);
        Ez(g->rows / 2, g->columns / 2) = Time * 0.25;
    }
    printf("%d\n", g->time);
    show_double("ez", g->ez, n);
    show_double("hx", g->hx, n);
    show_double("hy", g->hy, n);
    return 0;
}
