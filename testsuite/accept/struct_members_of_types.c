// Cells whose members have several types: what no nest stores, padding and pointers among it, stays as it is.
// form: structures: if (!a[i * m + j].fixed) b[i * m + j].v = 0.25f * (a[(i - 1) * m + j].v
// form: structures: next[i][j].d = 0.5 * grid[i][j].d + grid[i - 1][j].in.a + grid[i][j + 1].in.s + grid[i][j].f;
// args: 7 13 11 ; 1 4 5 ; 20 9 30
#include "dump.h"

struct cell {
    float v;
    int fixed;
    double w[2];
    char tag;
};

enum kind { WALL, FLUID };

struct site {
    struct {
        short s;
        float a, b;
    } in;
    char *name;
    double d;
    enum kind kind;
    unsigned char f;
    _Bool on;
};

/* Leaves its padding as it is. */
static void begin_cell(struct cell *cell, int i)
{
    cell->v = (float)(i % 13);
    cell->fixed = i % 5 == 0;
    cell->w[0] = 0.5 * i;
    cell->w[1] = 0.25 * (i % 7);
    cell->tag = (char)(i % 100);
}

static void begin_site(struct site *site, int i)
{
    site->in.s = (short)i;
    site->in.a = (float)(i % 11);
    site->in.b = (float)(i % 3);
    site->name = (char *)site;
    site->d = 0.125 * i;
    site->kind = i % 3 ? FLUID : WALL;
    site->f = (unsigned char)i;
    site->on = i % 4 == 0;
}

static void step(int n, int m, const struct cell *a, struct cell *b)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            if (!a[i * m + j].fixed)
                b[i * m + j].v = 0.25f * (a[(i - 1) * m + j].v + a[(i + 1) * m + j].v + a[i * m + j - 1].v + a[i * m + j + 1].v);
            b[i * m + j].w[0] = a[i * m + j].w[1] + b[i * m + j].v;
            b[i * m + j].w[1] = a[i * m + j].w[0] - a[i * m + j - 1].v;
            b[i * m + j].fixed = a[i * m + j].fixed;
        }
}

static void react(int n, int m, struct site grid[n][m], struct site next[n][m])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            if (grid[i][j].on)
                next[i][j].d = 0.5 * grid[i][j].d + grid[i - 1][j].in.a + grid[i][j + 1].in.s + grid[i][j].f;
            else if (grid[i][j].kind == FLUID)
                next[i][j].in.a = grid[i][j].in.b;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            grid[i][j].d = 0.5 * next[i - 1][j].d + grid[i][j].in.s;
            grid[i][j].in.a = next[i][j].in.a + 1;
            grid[i][j].f += 3;
            grid[i][j].on = grid[i][j].f > 100;
        }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 7), n = argument(argc, argv, 2, 13), m = argument(argc, argv, 3, 11);
    size_t cells = (size_t)(n * m);
    struct cell *a = malloc(cells * sizeof *a), *b = malloc(cells * sizeof *b);
    struct site(*grid)[m] = malloc(cells * sizeof(struct site)), (*next)[m] = malloc(cells * sizeof(struct site));
    struct site *site = &grid[0][0], *other = &next[0][0];
    memset(a, 0x5a, cells * sizeof *a);
    memset(b, 0xa5, cells * sizeof *b);
    memset(grid, 0x3c, cells * sizeof *site);
    memset(next, 0xc3, cells * sizeof *site);
    for (int i = 0; i < n * m; i++) {
        begin_cell(a + i, i);
        begin_cell(b + i, 3 * i);
        begin_site(site + i, i);
        begin_site(other + i, 5 * i);
        site[i].name = other[i].name = NULL;
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        step(n, m, a, b);
        struct cell *old = a;
        a = b;
        b = old;
    }
#pragma stencil
    for (int t = 0; t < steps; t++)
        react(n, m, grid, next);
    show_bytes("a", a, cells * sizeof *a);
    show_bytes("b", b, cells * sizeof *b);
    show_bytes("grid", grid, cells * sizeof *site);
    show_bytes("next", next, cells * sizeof *site);
    free(a);
    free(b);
    free(grid);
    free(next);
    return 0;
}
