// Arrays of structures that are exchanged as a whole: a lattice of populations, and two fields side by side.
// form: structures: to[i + j * nx].f[1] = from[i - 1 + j * nx].f[1];
// form: structures: p[i].v += 0.25 * p[i].u;
// args: 6 13 11 ; 1 4 5
#include "dump.h"

#define POPULATIONS 5

typedef struct {
    float f[POPULATIONS];
} site;

struct pair {
    double u, v;
};

static void stream(int ny, int nx, const site *from, site *to)
{
    for (int j = 1; j < ny - 1; j++)
        for (int i = 1; i < nx - 1; i++) {
            float rest = from[i + j * nx].f[0], all = rest;
            for (int k = 1; k < POPULATIONS; k++)
                all += from[i + j * nx].f[k];
            to[i + j * nx].f[0] = 0.9f * rest + 0.1f * all;
            to[i + j * nx].f[1] = from[i - 1 + j * nx].f[1];
            to[i + j * nx].f[2] = from[i + (j - 1) * nx].f[2];
            to[i + j * nx].f[3] = from[i + 1 + j * nx].f[3];
            to[i + j * nx].f[4] = from[i + (j + 1) * nx].f[4] - 0.01f * all;
        }
}

static void react(int n, struct pair *p)
{
    for (int i = 1; i < n - 1; i++)
        p[i].u = p[i].u * 0.5 + p[i - 1].v - p[i + 1].v;
    for (int i = 1; i < n - 1; i++)
        p[i].v += 0.25 * p[i].u;
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 6), nx = argument(argc, argv, 2, 13), ny = argument(argc, argv, 3, 11);
    int n = nx * ny;
    site *cells = (site *)new_float(n * POPULATIONS, 1), *scratch = (site *)new_float(n * POPULATIONS, 2);
    struct pair *pairs = (struct pair *)new_double(2 * n, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        stream(ny, nx, cells, scratch);
        site *other = cells;
        cells = scratch;
        scratch = other;
    }
#pragma stencil
    for (int t = 0; t < steps; t++)
        react(n, pairs);
    show_float("cells", (float *)cells, n * POPULATIONS);
    show_float("scratch", (float *)scratch, n * POPULATIONS);
    show_double("pairs", (double *)pairs, 2 * n);
    return 0;
}
