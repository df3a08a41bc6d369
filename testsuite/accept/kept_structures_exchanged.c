// A loop that the host keeps computes the length of its step from what a sweep folds, and exchanges structures as a whole.
// args: 21 17 ; 12 30 ; 5 5
// form: loops that the host keeps: double dt = 0.4 * g->dx / speed(g);
#include <math.h>
#include "dump.h"

typedef struct { int nx, ny; double dx; double **h; } grid;

static grid create(int nx, int ny)
{
    grid made = { nx, ny, 1.0 / nx, malloc((size_t)nx * sizeof *made.h) };
    for (int i = 0; i < nx; i++)
        made.h[i] = new_double((size_t)ny, i + 1);
    return made;
}

static double speed(const grid *g)
{
    double fastest = 0;
    for (int i = 0; i < g->nx; i++)
        for (int j = 0; j < g->ny; j++)
            if (fabs(g->h[i][j]) > fastest)
                fastest = fabs(g->h[i][j]);
    return fastest;
}

static double length(const grid *g)
{
    double dt = 0.4 * g->dx / speed(g);
    return dt;
}

static void walls(grid *g)
{
    for (int j = 0; j < g->ny; j++) {
        g->h[0][j] = g->h[1][j];
        g->h[g->nx - 1][j] = g->h[g->nx - 2][j];
    }
}

static void advance(const grid *from, grid *to, double dt)
{
    double factor = 0.5 * dt / from->dx, **h = from->h;
    for (int i = 1; i < from->nx - 1; i++)
        for (int j = 1; j < from->ny - 1; j++)
            to->h[i][j] = 0.25 * (h[i - 1][j] + h[i + 1][j] + h[i][j - 1] + h[i][j + 1]) -
                factor * (h[i + 1][j] * h[i + 1][j] - h[i - 1][j] * h[i - 1][j]);
}

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 21), ny = argument(argc, argv, 2, 17), n = 0;
    grid a = create(nx, ny), b = create(nx, ny), old;
    double t = 0, end = 0.3;
#pragma stencil
    while (t < end && n < 200) {
        double dt = length(&a);
        if (t + dt > end)
            dt = end - t;
        walls(&a);
        advance(&a, &b, dt);
        old = a;
        a = b;
        b = old;
        t += dt;
        n++;
        if (n % 10 == 0)
            printf("%d %.17g\n", n, t);
    }
    printf("%d %.17g\n", n, t);
    for (int i = 0; i < nx; i++) {
        show_double("a", a.h[i], (size_t)ny);
        show_double("b", b.h[i], (size_t)ny);
    }
    return 0;
}
