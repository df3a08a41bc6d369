/* What the programs of this folder share: a heated plate, and when its time loop ends. */
#ifndef EXAMPLES_KEPT_H
#define EXAMPLES_KEPT_H

#include "../support.h"

/* Two copies of the plate. */
typedef struct {
    int n, m, steps;
    size_t points;
    real *u, *v;
    double start;
} plate;

static inline plate new_plate(int argc, char **argv)
{
    plate p;
    p.n = argument(argc, argv, 1, 127, 3);
    p.m = argument(argc, argv, 2, 97, 3);
    p.steps = argument(argc, argv, 3, 41, 0);
    p.points = (size_t)p.n * p.m;
    p.u = allocate(p.points, sizeof(real));
    p.v = allocate(p.points, sizeof(real));
    fill(p.u, 1, p.n, p.m, 21);
    memcpy(p.v, p.u, p.points * sizeof(real));
    p.start = seconds();
    return p;
}

static inline void end_plate(plate p, int steps)
{
    report_time(p.start, (double)p.points, steps);
    report("u", p.u, p.points, sizeof(real));
    report("v", p.v, p.points, sizeof(real));
    free(p.u);
    free(p.v);
}

#endif
