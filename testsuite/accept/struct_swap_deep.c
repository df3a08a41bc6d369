// A step that calls what exchanges the arrays of a structure, behind parameters of its own and pointers declared there.
// args: 13 9 4 ; 5 6 7 ; 3 3 1 ; 17 4 0
// form: calls: static void step(struct grid *g) { relax(g); exchange(g); }
// form: structures: struct pair *fields = &grid->fields;
#include "dump.h"

struct pair {
    float *here, *there;
};

struct grid {
    int nx, ny;
    double *now, *next;
    struct pair fields;
};

static void exchange(struct grid *g)
{
    double *held = g->now;
    g->now = g->next;
    g->next = held;
}

static void turn(struct pair *pair)
{
    struct pair *p = pair;
    float *held = p->here;
    p->here = p->there;
    p->there = held;
}

static void put(struct grid *g, int i, int j, double value) { g->next[i * g->ny + j] = value; }

static void relax(struct grid *g)
{
    for (int i = 1; i < g->nx - 1; i++)
        for (int j = 1; j < g->ny - 1; j++) {
            double sum = g->now[(i - 1) * g->ny + j] + g->now[i * g->ny + j + 1];
            if (sum > 0.1)
                put(g, i, j, 0.5 * sum);
            else
                put(g, i, j, g->fields.here[i * g->ny + j]);
        }
}

static void step(struct grid *g) { relax(g); exchange(g); }

static void fade(struct grid *grid)
{
    struct pair *fields = &grid->fields;
    const int ny = grid->ny;
    for (int i = 1; i < grid->nx - 1; i++)
        for (int j = 0; j < ny; j++)
            fields->there[i * ny + j] = 0.5f * (fields->here[(i - 1) * ny + j] + fields->here[(i + 1) * ny + j]);
    turn(fields);
}

static void run(struct grid *g, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        step(g);
        fade(g);
    }
}

/* The same steps, of which the host prints what each leaves. */
static void show(struct grid *g, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        fade(g);
        step(g);
        printf("%d %.17g %.9g\n", t, g->now[g->ny + 1], g->fields.here[g->ny + 1]);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    size_t count = (size_t)n * m;
    struct grid g = {n, m, new_double(count, 1), new_double(count, 2), {new_float(count, 3), new_float(count, 4)}};
    run(&g, steps);
    show(&g, steps);
    show_double("now", g.now, count);
    show_double("next", g.next, count);
    show_float("here", g.fields.here, count);
    show_float("there", g.fields.there, count);
    return 0;
}
