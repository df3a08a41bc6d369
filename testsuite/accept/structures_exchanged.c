// Structures are exchanged as a whole, by their names and by a function: arrays move with them, sizes are equal, and what differs is
// what each step reads.
// args: 21 17 9 ; 40 9 1 ; 12 30 6 ; 9 9 0
// form: structures: old = *one; *one = *other; *other = old;
// form: structures: field spare = now; now = next; next = last; last = spare;
#include "dump.h"

typedef struct {
    int nx, ny;
    double rate;
    struct { double *data; int steps; } cells;
} field;

static void create(field *made, int nx, int ny, int seed)
{
    made->nx = nx;
    made->ny = ny;
    made->rate = 0.125 + 0.01 * seed;
    made->cells.data = new_double((size_t)nx * (size_t)ny, seed);
    made->cells.steps = seed;
}

static void show(const field *shown)
{
    show_double("data", shown->cells.data, (size_t)shown->nx * (size_t)shown->ny);
    printf("%d %d %g %d\n", shown->nx, shown->ny, shown->rate, shown->cells.steps);
}

static void relax(field *to, const field *from)
{
    const double *u = from->cells.data;
    for (int i = 1; i < from->nx - 1; i++)
        for (int j = 1; j < to->ny - 1; j++)
            to->cells.data[i * to->ny + j] = u[i * from->ny + j] + from->rate * (u[(i - 1) * from->ny + j] +
                u[i * from->ny + j + 1] - 2 * u[i * from->ny + j]);
}

static void edges(field *of)
{
    for (int j = 0; j < of->ny; j++)
        of->cells.data[j] = of->cells.data[of->ny + j];
}

static void swap(field *one, field *other)
{
    field old;
    old = *one; *one = *other; *other = old;
}

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 21), ny = argument(argc, argv, 2, 17), steps = argument(argc, argv, 3, 9);
    field now, next, last;
    create(&now, nx, ny, 1);
    create(&next, nx, ny, 2);
    create(&last, nx, ny, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        edges(&now);
        relax(&next, &now);
        swap(&now, &next);
    }
    show(&now);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        relax(&next, &now);
        field spare = now; now = next; next = last; last = spare;
    }
    show(&now);
    show(&next);
    show(&last);
    return 0;
}
