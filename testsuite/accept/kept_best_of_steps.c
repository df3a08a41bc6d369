// The host keeps the best state so far beside steps in which it makes numbers of what sweeps fold for those behind them.
// args: 64 40 3 ; 17 5 2 ; 3 2 1 ; 40 0 1
// form: loops that the host keeps: memcpy(save, u, n * sizeof *u);
#include <math.h>
#include <string.h>
#include "dump.h"

static void normalise(int n, int steps, double *u, double *v, double *save)
{
    double best = 1e30;
    int found = -1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double sum = 0;
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]) - 0.01 * u[i];
        for (int i = 1; i < n - 1; i++)
            sum += v[i] * v[i];
        double by = 1 / sqrt(sum + 1);
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i] * by;
        if (sum < best) {
            best = sum;
            memcpy(save, u, n * sizeof *u);
        }
        if (best == sum)
            found = t;
    }
    printf("%a %d\n", best, found);
}

static void flow(int n, int steps, int k, double *u, double *v, double *save, double *rates)
{
    double most = 0, time = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double fastest = 0;
        for (int i = 1; i < n - 1; i++)
            fastest = fmax(fastest, fabs(u[i]));
        double dt = 0.4 / (1 + fastest);
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] - dt * u[i] * (u[i] - u[i - 1]);
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
        rates[t] = fastest;
        time += dt;
        if (t % k == 1)
            memcpy(save, v, n * sizeof *v);
        if (fastest > most)
            most = fastest;
    }
    printf("%a %a\n", most, time);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 64), steps = argument(argc, argv, 2, 40), k = argument(argc, argv, 3, 3);
    double *u = new_double(n, 1), *v = new_double(n, 2), *save = new_double(n, 3), *rates = new_double(steps + 1, 4);
    normalise(n, steps, u, v, save);
    show_double("u", u, n);
    show_double("save", save, n);
    flow(n, steps, k, u, v, save, rates);
    show_double("u", u, n);
    show_double("v", v, n);
    show_double("save", save, n);
    show_double("rates", rates, steps + 1);
    return 0;
}
