// Functions of a header, of which both files have a copy, in the sweeps of a loop that the host keeps, and in what it does there.
// args: 13 9 7 ; 5 6 8 ; 4 3 1 ; 17 5 0
// with: with/cells.c
// form: loops that the host keeps: if (t % 3 == 0) report(a, t);
#include "dump.h"
#include "with/cells.h"

static void relax(struct field *to, const struct field *from)
{
    for (int i = 0; i < to->nx; i++)
        for (int j = 0; j < to->ny; j++) {
            double value = mean(from, i, j);
            if (value > 0.1)
                value -= 0.01 * at(to, i, j);
            put(to, i, j, value);
        }
}

static struct field *new_field(int nx, int ny, int seed)
{
    struct field *f = malloc(sizeof *f);
    f->nx = nx;
    f->ny = ny;
    f->edge = 1;
    f->rows = malloc((size_t)(nx + 2) * sizeof *f->rows);
    for (int i = 0; i < nx + 2; i++)
        f->rows[i] = new_double((size_t)ny + 2, seed + i);
    return f;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    struct field *a = new_field(n, m, 1), *b = new_field(n, m, 100);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        if (t % 3 == 0) report(a, t);
        border(a);
        relax(b, a);
        relax(a, b);
    }
    for (int i = 0; i < n + 2; i++) {
        show_double("a", a->rows[i], (size_t)m + 2);
        show_double("b", b->rows[i], (size_t)m + 2);
    }
    return 0;
}
