// Where there are two structures, the original loops run that are over both.
// args: 21 17 9 ; 16 50 25
// fallback: expected
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
    struct settings settings = { 2, argument(argc, argv, 3, 9), 1, 0.75 };
    size_t all = (size_t)nx * (size_t)ny;
    chunk both[2];
    for (int c = 0; c < 2; c++)
        both[c] = (chunk){ nx, ny, 0.015625 * c, new_double(all, 1), new_double(all, 2), new_double(all, 3 + c), { 0, 0 } };
    both->found.steps = solve(both, &settings);
    for (int c = 0; c < 2; c++) {
        show_double("u", both[c].u, all);
        show_double("old", both[c].old, all);
    }
    return both->found.steps < 0;
}
