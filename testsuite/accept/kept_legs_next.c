// Between the sweeps of a step the host computes how long the next one is, and writes, looks and leaves there.
// args: 53 9 ; 40 3 ; 9 1
// form: loops that the host keeps: dt = 0.1 / fastest; if (t >= 0.04 * frames) { show_double("frame", u, n);
#include <math.h>
#include "dump.h"

struct clock { double time, dt; int steps; };

static void advance(int n, int steps, double *u, double *v)
{
    double t = 0, dt = 0.001;
    int frames = 0;
#pragma stencil
    while (t < steps * 0.05) {
        double fastest = 0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = u[i] - dt * u[i] * (u[i] - u[i - 1]);
            double a = fabs(v[i]);
            if (a > fastest)
                fastest = a;
        }
        dt = 0.1 / fastest;
        if (t >= 0.04 * frames) {
            show_double("frame", u, n);
            frames++;
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
        t += dt;
        printf("%a %a\n", t, fastest);
    }
    printf("%a %d\n", dt, frames);
}

static void by_members(int n, int steps, double *u, double *v, struct clock *clock)
{
#pragma stencil
    for (int it = 0; it < steps; it++) {
        double change = 0;
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] + clock->dt * (u[i - 1] - 2 * u[i] + u[i + 1]);
        if (it % 3 == 0)
            show_double("before", u, n);
        clock->time += clock->dt;
        clock->dt *= 0.75;
        for (int i = 1; i < n - 1; i++) {
            change += (v[i] - u[i]) * (v[i] - u[i]);
            u[i] = v[i];
        }
        clock->steps++;
        printf("%a %a\n", clock->time, change);
        if (change < 1e-4)
            break;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 41), steps = argument(argc, argv, 2, 7);
    double *u = new_double((size_t)n, 1), *v = new_double((size_t)n, 2);
    struct clock clock = {0, 0.2, 0};
    for (int i = 0; i < n; i++)
        u[i] += 1.5;
    advance(n, steps, u, v);
    by_members(n, steps, u, v, &clock);
    printf("%a %a %d\n", clock.time, clock.dt, clock.steps);
    show_double("u", u, n);
    show_double("v", v, n);
    return 0;
}
