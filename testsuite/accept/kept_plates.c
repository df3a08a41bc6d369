// A structure holds sizes, a counter and the grid of structures; what the host stores through pointers is in the grid or beside it.
// args: 20 17 300 ; 4 5 3 ; 9 33 60
// form: loops that the host keeps: p->most = relax(p); p->steps++;
#include "dump.h"
#include <math.h>

struct flow { double u; float v; };
struct wind { double u; };
typedef struct { double temp, next; _Bool fixed; char kind; float k; struct flow flow; } cell;
typedef struct { int nx, ny; cell *cells; double most; int steps; struct wind wind; } plate;
typedef cell point;
#define AT(p, i, j) ((p)->cells[(i) * (p)->ny + (j)])

static double relax(plate *p)
{
    double most = 0;
    for (int i = 1; i < p->nx - 1; i++)
        for (int j = 1; j < p->ny - 1; j++) {
            cell *c = &AT(p, i, j);
            if (c->fixed) { c->next = c->temp; continue; }
            double mean = 0.25 * (AT(p, i - 1, j).temp + AT(p, i + 1, j).temp + AT(p, i, j - 1).temp + AT(p, i, j + 1).temp);
            c->next = c->temp + c->k * (mean - c->temp) + 0.001 * AT(p, i, j).flow.u;
            most = fmax(most, fabs(c->next - c->temp));
        }
    for (int i = 1; i < p->nx - 1; i++)
        for (int j = 1; j < p->ny - 1; j++)
            AT(p, i, j).temp = AT(p, i, j).next;
    return most;
}

static void fill(plate *p, cell *cells)
{
    p->cells = cells;
    p->steps = 0;
    p->most = 1;
    for (int i = 0; i < p->nx; i++)
        for (int j = 0; j < p->ny; j++) {
            cell *c = &AT(p, i, j);
            c->fixed = i == 0 || j == 0 || i == p->nx - 1 || j == p->ny - 1 || (i == p->nx / 2 && j == p->ny / 2);
            c->temp = c->fixed ? (i * 3 + j) % 11 : 0.0;
            c->next = 0;
            c->kind = (char)((i + j) % 3);
            c->k = 0.5f + 0.1f * (float)c->kind;
            c->flow.u = 0.1 * i - 0.2 * j;
            c->flow.v = 1;
        }
}

static void show(const plate *p)
{
    double sum = p->most + p->steps + p->wind.u;
    for (int i = 0; i < p->nx * p->ny; i++) {
        const cell *c = &p->cells[i];
        sum = sum * 0.99 + c->temp * (1 + c->kind) + c->fixed + c->next + c->k + c->flow.u + c->flow.v;
    }
    printf("%d %.17g %.17g\n", p->steps, p->most, sum);
}

int main(int argc, char **argv)
{
    plate plates[2] = {{argument(argc, argv, 1, 20), argument(argc, argv, 2, 17), NULL, 0, 0, {0}}}, *p = plates;
    int most = argument(argc, argv, 3, 300), count = p->nx * p->ny;
    cell *cells = malloc(sizeof *cells * (size_t)count);
    fill(p, cells);

#pragma stencil
    while (p->steps < most) {
        p->most = relax(p); p->steps++;
        p->wind.u += 0.5;
        if (p->steps % 50 == 0)
            printf("%d %.6e %.17g\n", p->steps, p->most, AT(p, p->nx / 3, p->ny / 3).temp);
        if (p->most < 1e-4)
            break;
    }
    show(p);

    fill(p, cells);
    point *middle = cells + count / 2;
    struct flow *there = &cells[count / 2].flow;
#pragma stencil
    for (int t = 0; t < most; t++) {
        p->most = relax(p);
        if (t % 7 == 2)
            middle->temp += 1;
        if (t % 5 == 3)
            there->u = t;
        p->steps += 2;
    }
    show(p);
    free(cells);
    return 0;
}
