// A mini-app: arrays behind pointers in a structure that is an element of an array, in loops over as many as there are.
// args: 21 17 9 ; 40 33 70 ; 9 8 0 ; 16 50 25
// notes: the device runs this nest only where `settings->chunks == 1`
// form: structures: for (int c = 0; c < settings->chunks; c++)
// form: structures: copy(chunks[c].nx, chunks[c].ny, chunks[c].u, chunks[c].old);
// form: structures: relax(&chunks[c], settings, &change);
#include "dump.h"
#include <math.h>

typedef struct chunk { int nx, ny; double shift, *u, *old, *k; struct { double sum; int steps; } found; } chunk;
struct settings { int chunks, most, language; double enough; };

static void copy(int nx, int ny, const double *u, double *old)
{
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx; j++)
            old[i * nx + j] = u[i * nx + j];
}

static void relax(chunk *c, const struct settings *settings, double *change)
{
    const int nx = c->nx, ny = c->ny;
    double sum = 0;
    if (settings->language == 1) {
        for (int i = 1; i < ny - 1; i++)
            for (int j = 1; j < nx - 1; j++) {
                const int at = j + i * nx;
                c->u[at] = (c->k[at] * (c->old[at - 1] + c->old[at + 1]) + c->old[at - nx] + c->old[at + nx]) / 4 +
                           c->shift;
                sum += fabs(c->u[at] - c->old[at]);
            }
        *change = sum;
    }
}

static void mirror(int nx, double *u)
{
    for (int j = 1; j < nx - 1; j++)
        u[j] = 0.5 * u[j + nx];
}

static int solve(chunk *chunks, const struct settings *settings)
{
    int t;
    double change = 100;
#pragma stencil
    for (t = 0; t < settings->most; t++) {
        for (int c = 0; c < settings->chunks; c++)
            copy(chunks[c].nx, chunks[c].ny, chunks[c].u, chunks[c].old);
        for (int c = 0; c < settings->chunks; c++)
            relax(&chunks[c], settings, &change);
        mirror(chunks[0].nx, chunks->u);
        if (change < settings->enough)
            break;
    }
    printf("%d %a\n", t, change);
    return t;
}

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 21), ny = argument(argc, argv, 2, 17);
    struct settings settings = { 1, argument(argc, argv, 3, 9), 1, 0.75 };
    size_t all = (size_t)nx * (size_t)ny;
    chunk only = { nx, ny, 0.015625, new_double(all, 1), new_double(all, 2), new_double(all, 3), { 0, 0 } };
    only.found.steps = solve(&only, &settings);
    show_double("u", only.u, all);
    show_double("old", only.old, all);
    return only.found.steps < 0;
}
